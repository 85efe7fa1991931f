import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, test } from 'vitest';
import { DEAD_WORDS, type DeadWord } from './dead-words.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const GLOSSARY = 'docs/glossary.md';
const FILES = [
  '*.md',
  '.github/**/*.{md,yml}',
  'docs/**/*.md',
  '{resources,src-main,src-preload,src-renderer,tests}/**/*.{css,html,js,json,md,mjs,mts,ts,tsx,yml}',
];
/** The pages that name dead words, and folders that Git ignores. */
const EXEMPT =
  /^docs\/glossary\.md$|dead-words\.ts$|plain-english\.test\.ts$|node_modules|^tests\/(artifacts|fixtures)\//;

/**
 * Matches a dead word. The pattern of `told` matches `told`, `Told`, `wasTold` and `TOLD_AT`, but not `stoldt`. The
 * pattern of a phrase also matches it in `camelCase`, `UPPER_CASE` and `kebab-case`, and in prose across line breaks and
 * comment marks.
 */
function patternOf({ word, stem = false }: DeadWord): RegExp {
  const end = stem ? '' : '(?![a-z])';
  const parts = word.split(' ');
  const capitals = parts.map((part) => part[0]?.toUpperCase() + part.slice(1));
  const camel = `(?<![A-Za-z])${[parts[0], ...capitals.slice(1)].join('')}${end}|${capitals.join('')}${end}`;
  const upper = `(?<![A-Za-z])${parts.join('_').toUpperCase()}(?![A-Za-z])`;
  if (parts.length === 1) return new RegExp(`${camel}|${upper}`, 'g');
  const kebab = `(?<![A-Za-z])${parts.join('-')}${end}`;
  return new RegExp(
    `(?i:\\b${parts.join(String.raw`\s+(?:(?:\*|//|#)\s+)?`)}${stem ? '' : '\\b'})|${camel}|${upper}|${kebab}`,
    'g',
  );
}

/** A comment that names its subject late or not at all: "Of these, the waiting ones" is "Waiting runs". */
const WITHOUT_SUBJECT = /^\s*(?:\/\*\*?|\/\/|\*) (?:Of|Those|Whose|So that|So many) .*/gm;

const DEAD = DEAD_WORDS.map((entry) => ({ ...entry, pattern: patternOf(entry) }));
const ANY = new RegExp(DEAD.map(({ pattern }) => pattern.source).join('|'), 'i');

/** The parts of a source file that are prose: comments, strings and the text of JSX. */
function proseOf(file: string, source: string): [start: number, end: number][] {
  const { comments, program } = parseSync(file, source);
  const ranges = comments.map(({ start, end }): [number, number] => [start, end]);
  JSON.stringify(program, (_key, node: unknown) => {
    if (typeof node === 'object' && node !== null && 'type' in node && 'start' in node && 'end' in node) {
      const text = node.type === 'Literal' || node.type === 'TemplateElement' || node.type === 'JSXText';
      if (text) ranges.push([Number(node.start), Number(node.end)]);
    }
    return typeof node === 'bigint' ? String(node) : node;
  });
  return ranges;
}

/** The dead words of a text, each with its line and what to write instead. */
function deadWordsIn(file: string, source: string): string[] {
  if (!ANY.test(source)) return [];
  let prose: [number, number][] | undefined;
  const inProse = (at: number) => {
    if (!/\.m?[jt]sx?$/.test(file)) return true;
    prose ??= proseOf(file, source);
    return prose.some(([start, end]) => start <= at && at < end);
  };
  return DEAD.filter(({ except }) => !except?.test(file)).flatMap(({ word, use, only, pattern }) =>
    [...source.matchAll(pattern)].flatMap(({ index }) => {
      if (only !== undefined && (only === 'prose') !== inProse(index)) return [];
      return [`${file}:${source.slice(0, index).split('\n').length}: "${word}": write ${use}`];
    }),
  );
}

/** The dead words of a path, as of an identifier. */
function deadWordsInPath(path: string): string[] {
  return DEAD.filter(({ only, except }) => only !== 'prose' && !except?.test(path)).flatMap(({ word, use, pattern }) =>
    [...path.matchAll(pattern)].map(() => `${path}: "${word}": write ${use}`),
  );
}

/** The words of the last column of the glossary, without those in italics and without explanations in parentheses. */
function glossaryDeadWords(): string[] {
  const rows = readFileSync(join(ROOT, GLOSSARY), 'utf8').matchAll(/^\| \*\*.*\|([^|]*)\|$/gm);
  return [...rows].flatMap(([, words = '']) =>
    words
      .replaceAll(/\([^)]*\)|\*[^*]*\*/g, '')
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  );
}

describe('plain English', () => {
  test('no file has a word of dead-words.ts', () => {
    const files = FILES.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).filter((file) => !EXEMPT.test(file));
    expect(files.flatMap((file) => deadWordsIn(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
    expect(files.flatMap(deadWordsInPath)).toEqual([]);
  });

  test('comments of sources name their subject first', () => {
    const files = globSync('{src-main,src-preload,src-renderer}/**/*.{ts,tsx,css}', { cwd: ROOT });
    const found = files.flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(WITHOUT_SUBJECT)].map(([line]) => `${file}: ${line.trim()}`),
    );
    expect(found).toEqual([]);
  });

  test('the table has every word that the glossary rejects', () => {
    const words = glossaryDeadWords();
    expect(words.length).toBeGreaterThan(30);
    const table = new Set(DEAD_WORDS.map(({ word }) => word));
    expect([...new Set(words)].filter((word) => !table.has(word))).toEqual([]);
  });

  test.each([
    ['a.ts', 'const wasTold = 1;', 1],
    ['a.ts', 'const TOLD_AT = 1; // stolden', 1],
    ['a.ts', '/** The tags, of\n * which some are. */', 1],
    ['a.md', 'Three files, of\nwhich one is told.', 2],
    ['a.ts', 'const leftOut = true;', 0],
    ['a.ts', "const text = 'It is left out.';", 1],
    ['a.tsx', 'const text = <p>It is left out</p>;', 1],
    ['a.ts', 'const mold = "a notice";', 0],
    ['a.ts', 'const takesInVain = IN_VAIN;', 2],
    ['a.ts', "import './in-vain.ts';", 1],
    ['a.ts', 'const mainVainly = 1;', 0],
    ['a.ts', 'const colours = 1;', 1],
    ['src-main/events/api/a.ts', "const text = 'What is wrong';", 0],
  ])('%s: %j has %i', (file, source, count) => {
    expect(deadWordsIn(file, source)).toHaveLength(count);
  });

  test('names of files are read as well', () => {
    expect(deadWordsInPath('src-main/in-vain.ts')).toHaveLength(1);
    expect(deadWordsInPath('src-main/main-vain.ts')).toEqual([]);
  });

  test('the table is sorted, without duplicates', () => {
    const words = DEAD_WORDS.map(({ word }) => word);
    expect(words).toEqual([...new Set(words)].toSorted());
  });
});
