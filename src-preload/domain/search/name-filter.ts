/**
 * Whether a name passes: it matches one of `include` (if there are any) and none of `exclude`. Both are patterns
 * separated by commas: `*` is any text, and a pattern without it is a part of the name. Case is ignored.
 */
export function nameFilter(include: string, exclude: string): (name: string) => boolean {
  const [wanted, unwanted] = [patternsOf(include), patternsOf(exclude)];
  return (name) => {
    const key = name.toLowerCase();
    const matches = (pattern: readonly string[]): boolean => matchesParts(key, pattern);
    return (wanted.length === 0 || wanted.some(matches)) && !unwanted.some(matches);
  };
}

/** Each pattern as the texts between its stars. */
function patternsOf(list: string): string[][] {
  const patterns = list.split(',').map((pattern) => pattern.trim().toLowerCase());
  return patterns.filter((one) => one !== '').map((one) => (one.includes('*') ? one : `*${one}*`).split('*'));
}

/** Each part at its first place after the former one: no pattern takes longer than one pass over the name. */
function matchesParts(name: string, parts: readonly string[]): boolean {
  const [first = '', ...others] = parts;
  const last = others.pop() ?? '';
  if (!name.startsWith(first)) return false;
  let from = first.length;
  for (const part of others) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return name.length - last.length >= from && name.endsWith(last);
}
