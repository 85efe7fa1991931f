import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../src-preload/domain/workspace/settings.ts';
import { HELP } from '../../../src-renderer/frame/help/places.ts';
import type { SettingEntry } from '../../../src-renderer/features/settings/model/catalog.ts';
import { GROUPS } from '../../../src-renderer/features/settings/model/catalog.ts';

/** The manual is accurate: pages, folders, settings, pictures and link targets. */
const ROOT = resolve(import.meta.dirname, '../../..');
const DOCS = join(ROOT, 'docs');
const PAGES = [...globSync(join(ROOT, '*.md')), ...globSync(join(DOCS, '**/*.md'))];
/** Folders that tests create. */
const NOT_OF_GIT = new Set(['artifacts', 'fixtures']);
const MOST_BYTES = 250_000;
const text = (path: string) => readFileSync(path, 'utf8');
const nameOf = (path: string) => relative(ROOT, path);

/** The anchor of a heading in rendered Markdown. */
function anchor(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-');
}

/** Links of a page to files of the project, with their problems. */
function brokenLinks(page: string): string[] {
  return [...text(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].flatMap(([link, path = '', place]) => {
    const target = path === '' ? page : resolve(dirname(page), path);
    if (!existsSync(target)) return [`${nameOf(page)}: ${link} leads nowhere`];
    if (place === undefined) return [];
    const anchors = [...text(target).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchor(heading));
    return anchors.includes(place) ? [] : [`${nameOf(page)}: ${link} names no heading`];
  });
}

/** The row of a setting in docs/operation/settings.md. */
function settingRow({ key, title, help, control }: SettingEntry): string {
  const value = DEFAULT_SETTINGS[key];
  const shown = typeof value === 'number' && value !== 4860 ? value.toLocaleString('en') : JSON.stringify(value);
  const written = typeof value === 'number' ? shown : `\`${shown}\``;
  return `| \`${key}\` | ${written} | ${rangeOf(control) || '–'} | **${title}.** ${help} |`;
}

function rangeOf(control: SettingEntry['control']): string {
  if (control.kind === 'number')
    return `${control.min.toLocaleString('en')} to ${control.max.toLocaleString('en')} ${control.unit}`.trim();
  if (control.kind === 'choice') return control.choices.map(({ value }) => `\`${value}\``).join(', ');
  return control.kind === 'key' ? '8 to 200 characters' : '';
}

describe('the manual', () => {
  test('links lead to files and headings', () => {
    expect(PAGES.flatMap(brokenLinks)).toEqual([]);
  });

  test('the places that the window links to exist', () => {
    const missing = Object.values<string>(HELP).filter((place) => {
      const [page = '', heading] = place.split('#');
      const file = join(DOCS, `${page}.md`);
      if (!existsSync(file)) return true;
      const headings = [...text(file).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => anchor(title));
      return heading !== undefined && !headings.includes(heading);
    });
    expect(missing).toEqual([]);
  });

  test('names of files in the project exist', () => {
    const missing = PAGES.flatMap((page) =>
      [...text(page).matchAll(/`((?:src-|tests\/|resources\/)[\w./-]+)`/g)].flatMap(([, path = '']) =>
        existsSync(join(ROOT, path)) ? [] : [`${nameOf(page)}: ${path}`],
      ),
    );
    expect(missing).toEqual([]);
  });

  test('the pages that sources and resources name exist', () => {
    const files = globSync('{src-main,src-preload,src-renderer,resources}/**/*.{mjs,service,ts,tsx,yaml}', {
      cwd: ROOT,
    });
    const named = files.flatMap((file) =>
      [...text(join(ROOT, file)).matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(([page]) => ({ file, page })),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ page }) => !existsSync(join(ROOT, page)))).toEqual([]);
  });

  test('messages name pages by titles that Help has: packages have no docs', () => {
    const headings = new Map(
      PAGES.filter((page) => page.startsWith(DOCS) && !page.startsWith(join(DOCS, 'decisions'))).map((page) => {
        const [title = '', ...others] = [...text(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
        return [title, others];
      }),
    );
    const named: string[] = [];
    const wrong: string[] = [];
    for (const file of globSync('{src-main,src-preload,src-renderer/!(build)}/**/*.{ts,tsx}', { cwd: ROOT })) {
      const code = text(join(ROOT, file)).replaceAll(/^\s*(?:\/\*\*|\*|\/\/).*$/gm, '');
      for (const [path] of code.matchAll(/\bdocs\/[\w/-]+\.md\b/g)) wrong.push(`${file}: ${path}`);
      for (const [words, heading, page = ''] of code.matchAll(
        /(?:"([^"\n]+)" on )?the page "([^"\n]+)" of the manual/g,
      )) {
        named.push(page);
        const found = headings.get(page);
        if (!found || (heading !== undefined && !found.includes(heading))) wrong.push(`${file}: ${words}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(named.length).toBeGreaterThan(2);
  });

  test('paths of tags are those of the sample, so that copied examples work', () => {
    const sample: { path: string }[] = JSON.parse(text(join(ROOT, 'resources/sample/bottling/tags.json')));
    const paths = new Set(sample.map(({ path }) => path));
    const unknown = [...PAGES, join(ROOT, 'resources/typings/tagwright.d.ts')].flatMap((page) =>
      [...text(page).matchAll(/Bottling(?:\.\w+)+/g)].flatMap(([path]) =>
        paths.has(path) ? [] : [`${nameOf(page)}: ${path}`],
      ),
    );
    expect(unknown).toEqual([]);
  });

  test.each(['README.md', 'docs/README.md', 'docs/decisions/README.md'])('%s links to every page', (index) => {
    const contents = text(join(ROOT, index));
    const decisions = index.startsWith('docs/decisions/');
    const pages = globSync('docs/**/*.md', { cwd: ROOT })
      .map((page) => page.replaceAll('\\', '/'))
      .filter((page) => page.startsWith('docs/decisions/') === decisions && basename(page) !== 'README.md');
    expect(pages.length).toBeGreaterThan(20);
    const links = pages.map((page) => `](${relative(dirname(index), page).replaceAll('\\', '/')})`);
    expect(links.filter((link) => !contents.includes(link))).toEqual([]);
  });

  test('every picture is used, and small', () => {
    const all = PAGES.map(text).join('\n');
    for (const picture of globSync(join(DOCS, 'images', '*'))) {
      expect(all).toContain(`images/${basename(picture)})`);
      expect(statSync(picture).size, picture).toBeLessThanOrEqual(MOST_BYTES);
    }
  });

  test('every folder of the sources is explained in docs/architecture.md', () => {
    const map = text(join(DOCS, 'architecture.md'));
    const folders = ['src-main', 'src-preload', 'src-renderer', 'resources', 'tests'].flatMap((top) =>
      readdirSync(join(ROOT, top), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !NOT_OF_GIT.has(entry.name))
        .map(({ name }) => `${top}/${name}`),
    );
    expect(folders.filter((folder) => !map.includes(`\`${folder}\``))).toEqual([]);
  });

  test('every setting has its row, with default and range', () => {
    const page = text(join(DOCS, 'operation', 'settings.md'));
    const rows = GROUPS.flatMap(({ fields }) => fields).map(settingRow);
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
    expect(rows.length).toBe(Object.keys(DEFAULT_SETTINGS).length);
  });
});
