import { compareNaturally } from '#domain/tag/tag-order';
import { groupOf } from '../../../ui/text/path-parts.ts';

/** A group of tags: `Root` or `Root.Group`. */
export interface GroupNode {
  /** The path of the group without a trailing dot; `''` for all tags. */
  path: string;
  name: string;
  /** The number of tags in it and in the groups below it. */
  count: number;
  children: Map<string, GroupNode>;
}

/** A group as a visible row of the tree. */
export interface GroupRow {
  node: GroupNode;
  /** From 1. */
  level: number;
  /** undefined if there is nothing to unfold. */
  expanded: boolean | undefined;
}

/**
 * The groups of tag paths (`Root.Groups.TagName.TagProperty` without its last two segments) as a tree. One pass over
 * the paths; order and rows, which cost more, are computed only for unfolded groups.
 */
export function groupTree(paths: readonly string[]): GroupNode {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const group = groupOf(path);
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  const root: GroupNode = { path: '', name: '', count: 0, children: new Map() };
  for (const [group, count] of counts) {
    let node = root;
    node.count += count;
    for (const name of group.split('.')) {
      let child = node.children.get(name);
      if (!child) {
        child = { path: node.path === '' ? name : `${node.path}.${name}`, name, count: 0, children: new Map() };
        node.children.set(name, child);
      }
      child.count += count;
      node = child;
    }
  }
  return root;
}

/** The visible groups when those in `expanded` are unfolded, ordered by name. */
export function visibleGroups(root: GroupNode, expanded: ReadonlySet<string>): GroupRow[] {
  const rows: GroupRow[] = [];
  const add = (parent: GroupNode, level: number) => {
    const children = [...parent.children.values()].toSorted((a, b) => compareNaturally(a.name, b.name));
    for (const node of children) {
      const open = node.children.size === 0 ? undefined : expanded.has(node.path);
      rows.push({ node, level, expanded: open });
      if (open) add(node, level + 1);
    }
  };
  add(root, 1);
  return rows;
}

/** Whether a tag is in a group or below it; every tag is in `''`. */
export function isIn(path: string, group: string): boolean {
  return group === '' || (path.startsWith(group) && path[group.length] === '.');
}
