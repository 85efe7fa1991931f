/** The root and groups of a tag's path. */
export function groupOf(path: string): string {
  return path.slice(0, path.lastIndexOf('.', path.lastIndexOf('.') - 1));
}

/** A path as the table shows it: its groups, which end with a dot, and its tag name and property. */
export interface PathParts {
  groups: string;
  name: string;
}

/** The parts of a path below a group; `''` for the whole path. One with fewer than three segments is a name. */
export function partsOfPath(path: string, below: string): PathParts {
  const start = below !== '' && path.startsWith(`${below}.`) ? below.length + 1 : 0;
  const cut = Math.max(start, path.lastIndexOf('.', path.lastIndexOf('.') - 1) + 1);
  return { groups: path.slice(start, cut), name: path.slice(cut) };
}

/** The groups and their places in the text, the innermost first: it stays where there is no space for all. */
export function namesOf(groups: string): { name: string; start: number }[] {
  const names: { name: string; start: number }[] = [];
  for (let start = 0, end = groups.indexOf('.'); end >= 0; start = end + 1, end = groups.indexOf('.', start)) {
    names.unshift({ name: groups.slice(start, end), start });
  }
  return names;
}

/** The number of characters of whole groups with which both begin: 9 for `Bottling.Line1.` and `Bottling.Line2.`. */
export function sharedGroups(groups: string, above: string): number {
  let shared = 0;
  for (let end = groups.indexOf('.') + 1; end > 0 && above.startsWith(groups.slice(0, end));) {
    shared = end;
    end = groups.indexOf('.', end) + 1;
  }
  return shared;
}

/** Rows whose parts are longer do not widen the column of all others. */
const SHARE = 0.95;

/** The characters that the parts of almost all paths need: a few long ones are cut instead. */
export function widthsOfParts(paths: readonly string[], below: string): { groups: number; name: number } {
  const groups: number[] = [];
  const names: number[] = [];
  for (const path of paths) {
    const parts = partsOfPath(path, below);
    groups.push(parts.groups.length);
    names.push(parts.name.length);
  }
  return { groups: most(groups), name: most(names) };
}

function most(lengths: readonly number[]): number {
  return lengths.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(lengths.length * SHARE) - 1)] ?? 0;
}

/**
 * The tracks of paths in a column: a place for an icon (unless there is none), the groups, and the name, so that names
 * start at the same place in all rows. Where there is little space, names have it, and groups get at least a third, or
 * `least` of the width.
 */
export function pathTracks(paths: readonly string[], { below = '', icon = true, least = '33%' } = {}): string {
  const { groups, name } = widthsOfParts(paths, below);
  // One more, as a gap and because widths of letters are rounded.
  const widest = groups === 0 ? 0 : groups + 1;
  const before = icon ? 22 : 0;
  const tracks = `minmax(0, min(${widest}ch, max(${least}, calc(100% - ${before}px - ${name}ch)))) minmax(0, 1fr)`;
  return icon ? `${before}px ${tracks}` : tracks;
}
