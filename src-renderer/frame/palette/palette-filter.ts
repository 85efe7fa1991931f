/** Whether a text holds every word of what was typed, in any order, without regard to case. */
export function matchesWords(text: string, typed: string): boolean {
  const lower = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
