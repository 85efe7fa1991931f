/** Whether a text contains every word of the input, in any order, ignoring case. */
export function matchesWords(text: string, typed: string): boolean {
  const lower = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
