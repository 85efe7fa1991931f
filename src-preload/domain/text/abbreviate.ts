/** The text, cut off at `max` characters with an ellipsis; never splits a surrogate pair. */
export function abbreviate(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = Math.max(0, max - 1);
  const splitsPair = end > 0 && /[\ud800-\udbff]/.test(text[end - 1] ?? '');
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`;
}

/** Characters before the first difference of two long texts that begin alike. */
const BEFORE_DIFFERENCE = 20;

/**
 * Two texts that differ, of at most `max` characters each: if they begin alike, their beginning and, after an ellipsis, what
 * begins shortly before their first difference.
 */
export function abbreviatedPair(one: string, other: string, max: number): [string, string] {
  const [first, second] = [abbreviate(one, max), abbreviate(other, max)];
  if (first !== second) return [first, second];
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const from = same - BEFORE_DIFFERENCE;
  const third = Math.round(max / 3);
  if (from <= third) return [first, second];
  const start = abbreviate(one, third);
  // Half of a pair of surrogates is no character.
  const part = (text: string) => start + abbreviate(text.slice(from).replace(/^[\udc00-\udfff]/, ''), max - third);
  return [part(one), part(other)];
}
