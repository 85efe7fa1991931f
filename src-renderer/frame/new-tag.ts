// A line break is in no path.
const MARK = '\n';

/** What the view Tags is to be asked for so that it begins a new tag of that path. */
export function newTagTarget(path: string): string {
  return MARK + path;
}

/** The path of the new tag that is asked for; null where a tag that is there is. */
export function newTagOf(what: string): string | null {
  return what.startsWith(MARK) ? what.slice(MARK.length) : null;
}
