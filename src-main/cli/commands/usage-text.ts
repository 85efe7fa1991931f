import type { DraftUse, ScriptUse, SecretUsage, TagUsage, TextPlace } from '#domain/tag/usage';
import { printable, table } from '../text.ts';

/** The references to a tag, one per line: `script  Line 1/Fill  3:7, 9:12`. */
export function usageText({ scripts, drafts, tags, rules }: TagUsage): string {
  return table([
    ...bodyRows('script', scripts),
    ...bodyRows('draft', drafts),
    ...tags.map(({ path, member, line, column }) => [
      'tag',
      printable(path),
      line === null || column === null ? member : `${member} ${line}:${column}`,
    ]),
    ...rules.map(({ name, members }) => ['rule', printable(name), printable(members.join(', '))]),
  ]);
}

/** The references to a secret, one per line. */
export function secretUsageText({ scripts, drafts, mocks, settings }: SecretUsage): string {
  return table([
    ...bodyRows('script', scripts),
    ...bodyRows('draft', drafts),
    ...mocks.map(({ name, members }) => ['mock', printable(name), printable(members.join(', '))]),
    ...settings.map((key) => ['setting', key]),
  ]);
}

export function isUsed({ scripts, drafts, tags, rules }: TagUsage): boolean {
  return scripts.length + drafts.length + tags.length + rules.length > 0;
}

type InBody = Pick<ScriptUse | DraftUse, 'group' | 'name' | 'places'> & { exact?: boolean };

function bodyRows(what: 'script' | 'draft', uses: readonly InBody[]): string[][] {
  return uses.map(({ group, name, places, exact = true }) => [
    what,
    printable(`${group}/${name}`),
    placesText(places, exact),
  ]);
}

function placesText(places: readonly TextPlace[], exact: boolean): string {
  const text = places.map(({ line, column }) => `${line}:${column}`).join(', ');
  return exact ? text : `${text} (does not parse: searched as text)`;
}
