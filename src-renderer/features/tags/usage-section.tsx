import { useWorkbench } from '../../frame/workbench.ts';
import { UsageLists } from './usage-lists.tsx';
import type { KnownUsage } from './use-tag-usage.ts';
import styles from './usage.module.css';

/** Where a tag is used: the scripts, tags and rules that name it, to go there. */
export function UsageSection({ known: { usage, problem } }: { known: KnownUsage }) {
  const { show } = useWorkbench();
  const used =
    usage !== null && usage.scripts.length + usage.drafts.length + usage.tags.length + usage.rules.length > 0;
  return (
    <section aria-label="Where used">
      <h3>Where used</h3>
      {problem !== null && <p className={styles.hint}>It cannot be told: {problem}</p>}
      {usage !== null && !used && (
        <p className={styles.hint}>
          No script, no other tag and no rule names it. Names that a script makes up are not found.
        </p>
      )}
      {used && <UsageLists usage={usage} onShow={show} />}
    </section>
  );
}
