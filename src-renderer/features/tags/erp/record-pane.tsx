import { Button } from '@fluentui/react-components';
import type { ErpRecord } from '#domain/tag/erp';
import { useCopy } from '../../../frame/use-copy.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { CopyRegular } from '../../../ui/icons.ts';
import { TagPath } from '../../../ui/text/tag-path.tsx';
import styles from './erp.module.css';

/** One record as JSON, with its origin. */
export function RecordPane({ record }: { record: ErpRecord }) {
  const { show } = useWorkbench();
  const json = JSON.stringify(record.record, null, 2);
  const copy = useCopy();
  return (
    <section className={styles.record} aria-label={`Record ${record.id}`}>
      <header>
        <h2>Record {record.id}</h2>
        <Button
          size="small"
          appearance="subtle"
          icon={<CopyRegular />}
          onClick={() => void copy(json, 'Record copied', { instead: 'Select the text and press Ctrl+C.' })}
        >
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
