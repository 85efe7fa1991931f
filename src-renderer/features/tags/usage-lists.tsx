import type { ReactNode } from 'react';
import type { SettingsUse, TagUsage, TagUseKind } from '#domain/tag/usage';
import { isUsed, TAG_USE_KINDS } from '#domain/tag/usage';
import { Members, MemberUses, ScriptName, ScriptUses, Use, Uses } from '../../ui/lists/uses.tsx';
import { PathCell } from '../../ui/text/path-cell.tsx';
import { pathTracks } from '../../ui/text/path-parts.ts';
import { KIND_NAMES } from '../../ui/text/tag-kind.tsx';
import { useWorkbench } from '../../frame/workbench.ts';
import type { KnownUsage } from './use-tag-usage.ts';
import styles from './usage.module.css';

type Show = (view: 'scripts' | 'tags' | 'aggregations' | 'diagrams' | 'mocks', what: string, line?: number) => void;

interface Props {
  usage: Partial<TagUsage>;
  /** Opens what refers to the tag; without it, only the names are shown. */
  onShow?: Show;
}

/** The list of each kind of references. */
const LISTS: Record<TagUseKind, (usage: Partial<TagUsage>, onShow: Show | undefined) => ReactNode> = {
  scripts: ({ scripts = [] }, onShow) => <ScriptUses key="scripts" scripts={scripts} drafts={[]} onShow={onShow} />,
  drafts: ({ drafts = [] }, onShow) => <ScriptUses key="drafts" scripts={[]} drafts={drafts} onShow={onShow} />,
  contexts: ({ contexts }, onShow) =>
    contexts?.map(({ scriptId, group, name, count }) => (
      <Use
        key={`context ${scriptId}`}
        text={<ScriptName group={group} name={name} />}
        onShow={onShow && (() => onShow('scripts', String(scriptId)))}
      >
        {count === 1 ? 'saved context' : `${count} saved contexts`}
      </Use>
    )),
  tags: ({ tags = [] }, onShow) => {
    const tracks = pathTracks(tags.map(({ path }) => path));
    return tags.map((use) => (
      <Use
        key={`tag ${use.path} ${use.member} ${use.line} ${use.column}`}
        text={<PathCell path={use.path} kind={use.kind} tracks={tracks} />}
        isPath
        onShow={onShow && (() => onShow('tags', use.path))}
      >
        {placeOf(use)}
      </Use>
    ));
  },
  rules: ({ rules = [] }, onShow) => (
    <MemberUses
      key="rules"
      what="rule"
      uses={rules}
      onShow={onShow && (({ id }) => onShow('aggregations', String(id)))}
    />
  ),
  diagrams: ({ diagrams = [] }, onShow) => (
    <MemberUses
      key="diagrams"
      what="Diagram"
      uses={diagrams}
      onShow={onShow && (({ name }) => onShow('diagrams', name))}
    />
  ),
  tests: ({ tests }, onShow) =>
    tests?.map(({ id, name, scriptId, group, script, members }) => (
      <Use key={`test ${id}`} text={name} onShow={onShow && (() => onShow('scripts', String(scriptId)))}>
        test of <ScriptName group={group} name={script} />, <Members members={members} />
      </Use>
    )),
  mocks: ({ mocks = [] }, onShow) => (
    <MemberUses key="mocks" what="mock" uses={mocks} onShow={onShow && (({ id }) => onShow('mocks', `mock:${id}`))} />
  ),
};

/** Everything with references to a tag, each with its places. */
export function UsageLists({ usage, onShow }: Props) {
  return <Uses>{TAG_USE_KINDS.map((kind) => LISTS[kind](usage, onShow))}</Uses>;
}

function placeOf({ kind, member, line }: SettingsUse): string {
  return `${KIND_NAMES[kind]} tag, ${member}${line === null || line === 1 ? '' : `, line ${line}`}`;
}

/** Where a tag is used, with links. */
export function UsageSection({ known: { usage, problem } }: { known: KnownUsage }) {
  const { show } = useWorkbench();
  const used = usage !== null && isUsed(usage);
  return (
    <section aria-label="Where used">
      <h3>Where used</h3>
      {problem !== null && <p className={styles.hint}>References could not be checked: {problem}</p>}
      {usage !== null && !used && (
        <p className={styles.hint}>
          Not referenced by any script, tag, rule, Diagram, test or mock. Paths built at run time can't be detected.
        </p>
      )}
      {used && <UsageLists usage={usage} onShow={show} />}
    </section>
  );
}
