export const MAX_PATH_LENGTH = 512;
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Almost every path: none of the checks below finds anything in it. */
const PLAIN_PATH = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+){2,}$/;

/**
 * The problem of a tag path, or null if it is valid: `Root.Groups.TagName.TagProperty` with at least three segments,
 * none empty, no control characters, at most 512 characters. Paths are case-sensitive.
 */
export function problemOfTagPath(path: string): string | null {
  if (path.length <= MAX_PATH_LENGTH && PLAIN_PATH.test(path)) return null;
  if (path === '') return 'a tag path cannot be empty; enter Root.Groups.TagName.TagProperty';
  if (path.length > MAX_PATH_LENGTH) {
    return `a tag path has at most ${MAX_PATH_LENGTH} characters, but this one has ${path.length}`;
  }
  if (CONTROL_CHARACTERS.test(path)) return 'a tag path cannot contain control characters or line breaks';
  if (!path.isWellFormed()) return 'a tag path contains an unpaired surrogate; remove it';
  const segments = path.split('.');
  if (segments.some((segment) => segment.trim() === '')) {
    return 'a tag path cannot have an empty segment; check for a leading, trailing or doubled dot';
  }
  if (segments.some((segment) => segment !== segment.trim())) {
    return 'a segment of a tag path cannot begin or end with a space';
  }
  if (segments.length < 3) {
    return `a tag path has at least three segments (Root.TagName.TagProperty), but this one has ${segments.length}`;
  }
  return null;
}

/**
 * The innermost group that all tags are in, or empty if there is none or fewer than two tags. A path relative to it
 * keeps the name of the tag and of the property.
 */
export function commonGroupOf(paths: Iterable<string>): string {
  const [first, ...others] = new Set(paths);
  if (first === undefined || others.length === 0) return '';
  const groups = [first, ...others].map((path) => path.split('.').slice(0, -2));
  const [shared = [], ...rest] = groups;
  const length = rest.reduce((most, group) => {
    const end = shared.slice(0, most).findIndex((segment, place) => segment !== group[place]);
    return end === -1 ? most : end;
  }, shared.length);
  return shared.slice(0, length).join('.');
}
