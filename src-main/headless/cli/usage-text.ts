import type { TagUsage, TextPlace } from '#domain/usage';
import { printable, table } from './text.ts';

/** What names a tag, a line each: `script  Line 1/Fill  3:7, 9:12`. */
export function usageText({ scripts, drafts, tags, rules }: TagUsage): string {
  return table([
    ...scripts.map(({ group, name, places, exact }) => [
      'script',
      printable(`${group}/${name}`),
      placesText(places, exact),
    ]),
    ...drafts.map(({ group, name, places, exact }) => [
      'draft',
      printable(`${group}/${name}`),
      placesText(places, exact),
    ]),
    ...tags.map(({ path, member, line, column }) => [
      'tag',
      printable(path),
      line === null || column === null ? member : `${member} ${line}:${column}`,
    ]),
    ...rules.map(({ name, members }) => ['rule', printable(name), printable(members.join(', '))]),
  ]);
}

export function isUsed({ scripts, drafts, tags, rules }: TagUsage): boolean {
  return scripts.length + drafts.length + tags.length + rules.length > 0;
}

function placesText(places: readonly TextPlace[], exact: boolean): string {
  const text = places.map(({ line, column }) => `${line}:${column}`).join(', ');
  return exact ? text : `${text} (does not parse: searched as text)`;
}
