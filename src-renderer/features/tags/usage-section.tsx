import { useWorkbench } from '../../frame/workbench.ts';
import { UsageLists } from './usage-lists.tsx';
import type { KnownUsage } from './use-tag-usage.ts';
import styles from './usage.module.css';

/** Where a tag is used: the scripts, tags and rules with references to it, with links. */
export function UsageSection({ known: { usage, problem } }: { known: KnownUsage }) {
  const { show } = useWorkbench();
  const used =
    usage !== null && usage.scripts.length + usage.drafts.length + usage.tags.length + usage.rules.length > 0;
  return (
    <section aria-label="Where used">
      <h3>Where used</h3>
      {problem !== null && <p className={styles.hint}>References could not be checked: {problem}</p>}
      {usage !== null && !used && (
        <p className={styles.hint}>
          Not referenced by any script, tag or rule. Paths built at run time can't be detected.
        </p>
      )}
      {used && <UsageLists usage={usage} onShow={show} />}
    </section>
  );
}
