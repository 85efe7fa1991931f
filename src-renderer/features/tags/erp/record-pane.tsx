import { Button } from '@fluentui/react-components';
import type { ErpRecord } from '#domain/erp';
import { useWorkbench } from '../../../frame/workbench.ts';
import { CopyRegular } from '../../../ui/icons.ts';
import { TagPath } from '../../../ui/tag-path.tsx';
import styles from './erp.module.css';

/** One record as JSON, and where it came from. */
export function RecordPane({ record }: { record: ErpRecord }) {
  const { notify, show } = useWorkbench();
  const json = JSON.stringify(record.record, null, 2);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(json);
      notify({ intent: 'success', title: 'Record copied' });
    } catch {
      notify({ intent: 'error', title: 'The clipboard cannot be used', body: 'Select the text and press Ctrl+C.' });
    }
  };
  return (
    <section className={styles.record} aria-label={`Record ${record.id}`}>
      <header>
        <h2>Record {record.id}</h2>
        <Button size="small" appearance="subtle" icon={<CopyRegular />} onClick={() => void copy()}>
          Copy
        </Button>
        <Button size="small" appearance="subtle" onClick={() => show('tags', record.tag)}>
          Show the tag
        </Button>
      </header>
      <p className={styles.hint}>
        <TagPath path={record.tag} />, sent at {record.sentAt}
      </p>
      <pre tabIndex={0} aria-label="Record as JSON">
        {json}
      </pre>
    </section>
  );
}
