import type { ScriptSummary } from '#domain/run/script';

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

export interface LibraryGroup {
  name: string;
  scripts: ScriptSummary[];
}

/** The library as the explorer shows it: groups in order, including empty ones, and their scripts by name. */
export function groupsInOrder(groups: readonly string[], scripts: readonly ScriptSummary[]): LibraryGroup[] {
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
