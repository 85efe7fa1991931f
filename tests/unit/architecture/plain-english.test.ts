import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, test } from 'vitest';
import { DEAD_WORDS } from './dead-words.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const FILES = [
  '*.md',
  'docs/**/*.md',
  '{resources,src-main,src-preload,src-renderer,tests}/**/*.{css,html,js,json,md,mjs,mts,ts,tsx,yml}',
];
/** The pages that name dead words, and folders that Git ignores. */
const EXEMPT =
  /^docs\/glossary\.md$|dead-words\.ts$|plain-english\.test\.ts$|node_modules|^tests\/(artifacts|fixtures)\//;

/** `told` in `told`, `Told`, `wasTold` and `TOLD_AT`, not in `stoldt`; spaces of a phrase may hold line breaks and comment marks. */
function patternOf(word: string): RegExp {
  if (word.includes(' ')) return new RegExp(`\\b${word.replaceAll(' ', String.raw`\s+(?:(?:\*|//|#)\s+)?`)}\\b`, 'gi');
  const capital = word[0]?.toUpperCase() + word.slice(1);
  const upper = word.toUpperCase();
  return new RegExp(`(?<![A-Za-z])${word}(?![a-z])|${capital}(?![a-z])|(?<![A-Za-z])${upper}(?![A-Za-z])`, 'g');
}

const DEAD = DEAD_WORDS.map((entry) => ({ ...entry, pattern: patternOf(entry.word) }));
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
  return DEAD.flatMap(({ word, use, only, pattern }) =>
    [...source.matchAll(pattern)].flatMap(({ index }) => {
      if (only !== undefined && (only === 'prose') !== inProse(index)) return [];
      return [`${file}:${source.slice(0, index).split('\n').length}: "${word}": write ${use}`];
    }),
  );
}

describe('plain English', () => {
  test('no file has a word of dead-words.ts', () => {
    const files = FILES.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).filter((file) => !EXEMPT.test(file));
    expect(files.flatMap((file) => deadWordsIn(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
  });

  test.each([
    ['a.ts', 'const wasTold = 1;', 1],
    ['a.ts', 'const TOLD_AT = 1; // stolden', 1],
    ['a.ts', '/** The tags, of\n * which some are. */', 1],
    ['a.md', 'Three files, of\nwhich one is told.', 2],
    ['a.ts', 'const believed = true;', 0],
    ['a.ts', "const text = 'It is believed.';", 1],
    ['a.tsx', 'const text = <p>It is believed</p>;', 1],
    ['a.ts', 'const mold = "a notice";', 0],
  ])('%s: %j has %i', (file, source, count) => {
    expect(deadWordsIn(file, source)).toHaveLength(count);
  });

  test('the table is sorted, without duplicates', () => {
    const words = DEAD_WORDS.map(({ word }) => word);
    expect(words).toEqual([...new Set(words)].toSorted());
  });
});
