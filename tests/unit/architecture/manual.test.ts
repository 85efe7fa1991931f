import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../src-preload/domain/settings.ts';
import type { Field } from '../../../src-renderer/features/settings/model/catalog.ts';
import { GROUPS } from '../../../src-renderer/features/settings/model/catalog.ts';

/** The manual says what is there: pages, folders, settings, pictures and the places that its links lead to. */
const ROOT = resolve(import.meta.dirname, '../../..');
const DOCS = join(ROOT, 'docs');
const PAGES = [join(ROOT, 'README.md'), ...globSync(join(DOCS, '*.md'))];
/** Folders that tests make. */
const NOT_OF_GIT = new Set(['artifacts', 'fixtures']);
const MOST_BYTES = 250_000;
const text = (path: string) => readFileSync(path, 'utf8');
const nameOf = (path: string) => relative(ROOT, path);

/** The anchor that a heading has where Markdown is shown. */
function anchor(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-');
}

/** Links of a page to files of the project, with what is wrong with each. */
function brokenLinks(page: string): string[] {
  return [...text(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].flatMap(([link, path = '', place]) => {
    const target = path === '' ? page : resolve(dirname(page), path);
    if (!existsSync(target)) return [`${nameOf(page)}: ${link} leads nowhere`];
    if (place === undefined) return [];
    const anchors = [...text(target).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchor(heading));
    return anchors.includes(place) ? [] : [`${nameOf(page)}: ${link} names no heading`];
  });
}

/** The row of a setting in docs/settings.md. */
function settingRow({ key, title, help, control }: Field): string {
  const value = DEFAULT_SETTINGS[key];
  const shown = typeof value === 'number' && value !== 4860 ? value.toLocaleString('en') : JSON.stringify(value);
  const range =
    control.kind === 'number'
      ? `${control.min.toLocaleString('en')} to ${control.max.toLocaleString('en')} ${control.unit}`.trim()
      : '';
  const written = typeof value === 'number' ? shown : `\`${shown}\``;
  return `| \`${key}\` | ${written} | ${range || '–'} | **${title}.** ${help} |`;
}

describe('the manual', () => {
  test('links lead to files and headings', () => {
    expect(PAGES.flatMap(brokenLinks)).toEqual([]);
  });

  test('names of files in the project are those of files', () => {
    const missing = PAGES.flatMap((page) =>
      [...text(page).matchAll(/`((?:src-|tests\/|resources\/)[\w./-]+)`/g)].flatMap(([, path = '']) =>
        existsSync(join(ROOT, path)) ? [] : [`${nameOf(page)}: ${path}`],
      ),
    );
    expect(missing).toEqual([]);
  });

  test.each(['README.md', 'docs/README.md'])('%s leads to every page', (index) => {
    const contents = text(join(ROOT, index));
    const forgotten = readdirSync(DOCS).filter((file) => file.endsWith('.md') && file !== 'README.md');
    expect(forgotten.filter((file) => !contents.includes(`${file})`))).toEqual([]);
  });

  test('every picture is shown somewhere, and small', () => {
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
    const page = text(join(DOCS, 'settings.md'));
    const rows = GROUPS.flatMap(({ fields }) => fields).map(settingRow);
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
    expect(rows.length).toBe(Object.keys(DEFAULT_SETTINGS).length);
  });
});
