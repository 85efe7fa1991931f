import { nameOfFolder, parentOfFolder } from '#domain/mock/mock-folder';
import { compareNaturally } from '#domain/tag/tag-order';
import type { MockListRow } from './list-rows.ts';

/** A folder of the list. */
export interface FolderRow {
  /** `folder:ERP/Orders`, not the key of any mock. */
  key: string;
  path: string;
  name: string;
  /** From 1. */
  level: number;
  expanded: boolean;
  /** The listed mocks in it and in its folders. */
  rows: readonly MockListRow[];
  /** Whether its saved mocks are enabled; null if it has only new ones. */
  enabled: boolean | 'some' | null;
}

/** A mock at its place. */
export interface PlacedRow {
  key: string;
  level: number;
  row: MockListRow;
}

export type ListRow = FolderRow | PlacedRow;

export const isFolderRow = (row: ListRow): row is FolderRow => 'path' in row;

export const keyOfFolder = (path: string): string => `folder:${path}`;

/** The folder with this key; null for the key of a mock. */
export const folderOfKey = (key: string | null): string | null =>
  key?.startsWith('folder:') ? key.slice('folder:'.length) : null;

/** All folders of the listed mocks with the folders around them, in the order of the list. */
export function foldersIn(rows: readonly MockListRow[]): string[] {
  return [...branches(rows).keys()].filter((path) => path !== '').toSorted(comparePaths);
}

/**
 * The list with its folders: in each folder first its mocks, in the given order, then its folders by name, so that every
 * mock belongs to the last folder above it. The mocks in `folded` folders are omitted.
 */
export function withFolders(rows: readonly MockListRow[], folded: ReadonlySet<string>): ListRow[] {
  const all = branches(rows);
  const list: ListRow[] = [];
  const add = ({ own, inner }: Branch, level: number) => {
    for (const row of own) list.push({ key: row.key, level, row });
    for (const child of inner.toSorted((a, b) => compareNaturally(nameOfFolder(a.path), nameOfFolder(b.path)))) {
      const expanded = !folded.has(child.path);
      const within = rowsIn(child);
      const { path } = child;
      const name = nameOfFolder(path);
      list.push({ key: keyOfFolder(path), path, name, level, expanded, rows: within, enabled: stateOf(within) });
      if (expanded) add(child, level + 1);
    }
  };
  const root = all.get('');
  if (root) add(root, 1);
  return list;
}

interface Branch {
  path: string;
  own: MockListRow[];
  inner: Branch[];
}

/** By path; the top has the path `''`. */
function branches(rows: readonly MockListRow[]): Map<string, Branch> {
  const all = new Map<string, Branch>();
  const branchOf = (path: string): Branch => {
    const known = all.get(path);
    if (known) return known;
    const branch: Branch = { path, own: [], inner: [] };
    all.set(path, branch);
    if (path !== '') branchOf(parentOfFolder(path)).inner.push(branch);
    return branch;
  };
  for (const row of rows) branchOf(row.folder).own.push(row);
  return all;
}

const rowsIn = ({ own, inner }: Branch): MockListRow[] => [...own, ...inner.flatMap(rowsIn)];

function stateOf(rows: readonly MockListRow[]): FolderRow['enabled'] {
  const states = new Set(rows.flatMap(({ mock }) => (mock ? [mock.enabled] : [])));
  if (states.size === 2) return 'some';
  return states.size === 0 ? null : states.has(true);
}

/** Name by name, so that a folder comes right after the one around it. */
function comparePaths(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  for (let level = 0; level < Math.min(left.length, right.length); level += 1) {
    const order = compareNaturally(left[level] ?? '', right[level] ?? '');
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
