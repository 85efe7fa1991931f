/** The least that printing an object takes: listing its keys, and formatting those that are shown. */
export function shownByHand(object: Record<string, unknown>): string {
  const keys = Object.keys(object);
  const shown = keys.slice(0, 100).map((key) => `${key}: ${String(object[key])}`);
  return `{ ${shown.join(', ')}, ${keys.length - shown.length} more }`;
}
