import { partsOfDraftKey } from '#domain/run/script';
import type { Draft, ScriptSummary } from '#domain/run/script';
import { matchesWords } from '../../../frame/palette/palette-filter.ts';
import { isDirty, keyOfScript, titleOf } from '../model/script-document.ts';
import type { ScriptsState } from '../model/scripts-state.ts';

/** A row of the explorer. */
export type ExplorerRow =
  | { what: 'group'; id: string; name: string; expanded: boolean; empty: boolean }
  | { what: 'unsaved-group'; id: string; expanded: boolean }
  | { what: 'script'; id: string; scriptId: number; name: string; group: string; key: string; mark: Mark }
  | { what: 'unsaved'; id: string; key: string; name: string; mark: Mark };

/** `draft`: unsaved changes that are not open; `dirty`: open with unsaved changes. */
export type Mark = 'none' | 'draft' | 'dirty';

const UNSAVED_GROUP = 'unsaved';
const groupId = (name: string) => `group:${name}`;

/**
 * The rows of the explorer: scripts that were never saved, then the groups. With a filter, groups without a match are
 * hidden, and the others are expanded.
 */
export function explorerRows(state: ScriptsState, collapsed: ReadonlySet<string>, filter: string): ExplorerRow[] {
  const filtering = filter.trim() !== '';
  const open = (id: string) => filtering || !collapsed.has(id);
  const rows: ExplorerRow[] = [];
  const unsaved = unsavedOf(state).filter(({ name }) => matchesWords(name, filter));
  if (unsaved.length > 0) {
    rows.push({ what: 'unsaved-group', id: UNSAVED_GROUP, expanded: open(UNSAVED_GROUP) });
    if (open(UNSAVED_GROUP)) rows.push(...unsaved);
  }
  for (const group of groupsInOrder(state.groups, state.scripts)) {
    const scripts = group.scripts.filter(({ name }) => matchesWords(`${group.name} ${name}`, filter));
    if (filtering && scripts.length === 0) continue;
    const id = groupId(group.name);
    rows.push({ what: 'group', id, name: group.name, expanded: open(id), empty: group.scripts.length === 0 });
    if (!open(id)) continue;
    for (const script of scripts) {
      const key = keyOfScript(script.id);
      rows.push({
        what: 'script',
        id: key,
        scriptId: script.id,
        name: script.name,
        group: group.name,
        key,
        mark: markOf(state, key),
      });
    }
  }
  return rows;
}

/** The id of the row of the group that has a script or an unsaved one; null if neither is known. */
export function groupRowOf(state: ScriptsState, key: string): string | null {
  const script = state.scripts.find(({ id }) => keyOfScript(id) === key);
  if (script) return groupId(script.group);
  return state.docs.has(key) || hasDraft(state, key) ? UNSAVED_GROUP : null;
}

function unsavedOf(state: ScriptsState): (ExplorerRow & { what: 'unsaved' })[] {
  const saved = new Set(state.scripts.map(({ id }) => keyOfScript(id)));
  const texts = new Map<string, Pick<Draft, 'name'>>();
  for (const draft of state.others) {
    const key = partsOfDraftKey(draft.key).script;
    if (!saved.has(key)) texts.set(key, draft);
  }
  for (const [key, draft] of state.drafts) if (!saved.has(key)) texts.set(key, draft);
  for (const [key, doc] of state.docs) if (!saved.has(key)) texts.set(key, doc.text);
  return [...texts].map(([key, text]) => ({
    what: 'unsaved',
    id: key,
    key,
    name: titleOf(text),
    mark: markOf(state, key),
  }));
}

function markOf(state: ScriptsState, key: string): Mark {
  const doc = state.docs.get(key);
  if (doc) return isDirty(doc) ? 'dirty' : 'none';
  return hasDraft(state, key) ? 'draft' : 'none';
}

/** Whether a window has a draft of it. */
function hasDraft({ drafts, others }: ScriptsState, key: string): boolean {
  return drafts.has(key) || others.some((draft) => partsOfDraftKey(draft.key).script === key);
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

interface LibraryGroup {
  name: string;
  scripts: ScriptSummary[];
}

/** The library as the explorer shows it: groups in order, including empty ones, and their scripts by name. */
function groupsInOrder(groups: readonly string[], scripts: readonly ScriptSummary[]): LibraryGroup[] {
  const byName = new Map<string, ScriptSummary[]>(groups.map((name) => [name, []]));
  for (const script of scripts) {
    const group = byName.get(script.group);
    if (group) group.push(script);
    else byName.set(script.group, [script]);
  }
  return [...byName]
    .toSorted(([a], [b]) => collator.compare(a, b))
    .map(([name, inGroup]) => ({
      name,
      scripts: inGroup.toSorted((a, b) => collator.compare(a.name, b.name)),
    }));
}
