/** The text, cut off at `max` characters with an ellipsis; never splits a surrogate pair. */
export function abbreviate(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = Math.max(0, max - 1);
  const splitsPair = end > 0 && /[\ud800-\udbff]/.test(text[end - 1] ?? '');
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`;
}
