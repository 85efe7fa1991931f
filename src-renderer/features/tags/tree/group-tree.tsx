import { useMemo, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { remember, remembered } from '../../../support/local-storage.ts';
import type { TreeRow } from '../../../ui/lists/tree.tsx';
import { Tree } from '../../../ui/lists/tree.tsx';
import { groupTree, visibleGroups } from './path-tree.ts';
import styles from './group-tree.module.css';

interface Props {
  paths: readonly string[];
  /** The selected group; `''` for all tags. */
  group: string;
  onChoose: (group: string) => void;
  /** The menu of a group is requested at a place. */
  onMenu: (group: string, at: { x: number; y: number }) => void;
}

const ALL = 'all';
const KEY = 'tags.expanded';

/** The groups of the tags; the table shows only the selected one. */
export function GroupTree({ paths, group, onChoose, onMenu }: Props) {
  const root = useMemo(() => groupTree(paths), [paths]);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(() => new Set(remembered<string[]>(KEY, [])));
  const [ids] = useState(() => new Ids());
  const rows = useMemo(() => visibleGroups(root, expanded), [root, expanded]);

  const expand = (path: string, open: boolean) => {
    const next = new Set(expanded);
    if (open) next.add(path);
    else next.delete(path);
    remember(KEY, [...next].slice(-500));
    setExpanded(next);
  };
  const choose = (id: string) => onChoose(id === ALL ? '' : ids.pathOf(id));
  // Enter and Space select a group without folding it; the arrows fold it without selecting it.
  const onKey = (id: string, event: KeyboardEvent): boolean => {
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    if (event.key === 'Enter' || event.key === ' ') {
      choose(id);
      return true;
    }
    const row = rows.find(({ node }) => ids.idOf(node.path) === id);
    const unfolds = event.key === 'ArrowRight' && row?.expanded === false;
    const folds = event.key === 'ArrowLeft' && row?.expanded === true;
    if (!row || (!unfolds && !folds)) return false;
    expand(row.node.path, unfolds);
    return true;
  };
  // A click selects; it only folds a selected group.
  const onToggle = (id: string, open: boolean) => {
    const path = ids.pathOf(id);
    if (open || path === group) expand(path, open);
    onChoose(path);
  };

  const shown: TreeRow[] = [
    { id: ALL, level: 1, label: 'All tags', selected: group === '', after: <Count count={root.count} /> },
    ...rows.map(({ node, level, expanded: open }) => ({
      id: ids.idOf(node.path),
      level,
      label: node.name,
      expanded: open,
      selected: node.path === group,
      after: <Count count={node.count} />,
      describe: `${node.count} ${node.count === 1 ? 'tag' : 'tags'}`,
    })),
  ];
  return (
    <Tree
      label="Groups of tags"
      rows={shown}
      onOpen={choose}
      onToggle={onToggle}
      onKey={onKey}
      onMenu={(id, at) => onMenu(id === ALL ? '' : ids.pathOf(id), at)}
    />
  );
}

function Count({ count }: { count: number }) {
  return <span className={styles.count} data-count={count} />;
}

/** Ids for paths: an HTML id can't contain spaces, a path can. */
class Ids {
  readonly #ids = new Map<string, string>();
  readonly #paths: string[] = [];

  idOf(path: string): string {
    const known = this.#ids.get(path);
    if (known !== undefined) return known;
    const id = String(this.#paths.push(path) - 1);
    this.#ids.set(path, id);
    return id;
  }

  pathOf(id: string): string {
    return this.#paths[Number(id)] ?? '';
  }
}
