// A path can't contain a line break.
const MARK = '\n';

/** The request to the Tags view to start a new tag with that path. */
export function newTagTarget(path: string): string {
  return MARK + path;
}

/** The path of the requested new tag; null if the request is for an existing tag. */
export function newTagOf(what: string): string | null {
  return what.startsWith(MARK) ? what.slice(MARK.length) : null;
}
