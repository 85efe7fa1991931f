/** The number of tags in a list, and of all tags if it is filtered. */
export function countText(shown: number, total: number, filter: string, group: string): string {
  const word = total === 1 ? 'tag' : 'tags';
  const all = `${total.toLocaleString('en')} ${word}`;
  return filter.trim() === '' && group === '' ? all : `${shown.toLocaleString('en')} of ${all}`;
}
