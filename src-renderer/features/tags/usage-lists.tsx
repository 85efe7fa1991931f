import type { SettingsUse, TagUsage } from '#domain/tag/usage';
import { ScriptUses, Use, Uses } from '../../ui/lists/uses.tsx';
import { KIND_NAMES } from './definition-lines.ts';
import { useWorkbench } from '../../frame/workbench.ts';
import type { KnownUsage } from './use-tag-usage.ts';
import styles from './usage.module.css';

interface Props {
  usage: TagUsage;
  /** Opens a script or a tag; without it, only the names are shown. */
  onShow?: (view: 'scripts' | 'tags' | 'aggregations', what: string, line?: number) => void;
}

/** The scripts, drafts, tags and rules with references to a tag, each with its lines or members. */
export function UsageLists({ usage: { scripts, drafts, tags, rules }, onShow }: Props) {
  return (
    <Uses>
      <ScriptUses scripts={scripts} drafts={drafts} onShow={onShow} />
      {tags.map((use) => (
        <Use
          key={`tag ${use.path} ${use.member} ${use.line} ${use.column}`}
          text={use.path}
          onShow={onShow && (() => onShow('tags', use.path))}
        >
          {placeOf(use)}
        </Use>
      ))}
      {rules.map(({ id, name, members }) => (
        <Use key={`rule ${id}`} text={name} onShow={onShow && (() => onShow('aggregations', String(id)))}>
          rule, {members.join(', ')}
        </Use>
      ))}
    </Uses>
  );
}

function placeOf({ kind, member, line }: SettingsUse): string {
  return `${KIND_NAMES[kind]} tag, ${member}${line === null || line === 1 ? '' : `, line ${line}`}`;
}

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
