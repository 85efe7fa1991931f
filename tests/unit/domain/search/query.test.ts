import { describe, expect, test } from 'vitest';
import type { SearchQuery } from '../../../../src-preload/domain/search/query.ts';
import { compileQuery } from '../../../../src-preload/domain/search/query.ts';
import { fc } from '../../../support/run/random.ts';

const PLAIN: SearchQuery = { text: '', regex: false, matchCase: false, wholeWord: false };

function found(text: string, query: Partial<SearchQuery>): string[] {
  const compiled = compileQuery({ ...PLAIN, ...query });
  if (!compiled.ok) throw new Error(compiled.problem);
  return [...compiled.matcher(text)].map(({ start, end }) => `${start}:${text.slice(start, end)}`);
}

function problem(text: string): string {
  const compiled = compileQuery({ ...PLAIN, text, regex: true });
  return compiled.ok ? 'valid' : compiled.problem;
}

describe('text', () => {
  test('is found without regard to case, and with it', () => {
    expect(found('Speed speed SPEED', { text: 'speed' })).toEqual(['0:Speed', '6:speed', '12:SPEED']);
    expect(found('Speed speed SPEED', { text: 'speed', matchCase: true })).toEqual(['6:speed']);
  });

  test('has no special characters', () => {
    expect(found('a.b a+b [a] $1 (x)/y', { text: 'a.b' })).toEqual(['0:a.b']);
    expect(found('a.b a+b [a] $1 (x)/y', { text: '$1 (X)/Y' })).toEqual(['12:$1 (x)/y']);
  });

  test('of other scripts keeps its offsets', () => {
    // In lower case, "İ" has two characters.
    expect(found('İİ Füllen FÜLLEN', { text: 'füllen' })).toEqual(['3:Füllen', '10:FÜLLEN']);
    expect(found('Насос насос', { text: 'НАСОС' })).toEqual(['0:Насос', '6:насос']);
  });

  test('does not overlap itself', () => {
    expect(found('aaaaa', { text: 'aa', matchCase: true })).toEqual(['0:aa', '2:aa']);
    expect(found('aaaaa', { text: 'aa' })).toEqual(['0:aa', '2:aa']);
  });

  test('is found where it was, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme', minLength: 1 }), (around, text) => {
        const searched = `${around}${text}${around}`;
        const starts = found(searched, { text, matchCase: true }).map((one) => Number(one.split(':')[0]));
        expect(starts.some((start) => searched.startsWith(text, start))).toBe(true);
        expect(found(searched, { text }).length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('whole words', () => {
  test('end at letters, digits and marks of any script', () => {
    expect(found('speed speed2 speeds überspeed speed_1 (speed)', { text: 'speed', wholeWord: true })).toEqual([
      '0:speed',
      '39:speed',
    ]);
    expect(found('Größe Größen größe', { text: 'größe', wholeWord: true })).toEqual(['0:Größe', '13:größe']);
    // A letter with a combining mark, and one beyond 16 bits.
    expect(found('cafe\u0301 cafe 𝒳cafe cafe𝒳', { text: 'cafe', wholeWord: true })).toEqual(['6:cafe']);
    expect(found('${price} $price', { text: 'price', wholeWord: true })).toEqual(['2:price', '10:price']);
  });

  test('may begin or end with another character', () => {
    expect(found('a[3]b', { text: '[3]', wholeWord: true })).toEqual(['1:[3]']);
    expect(found('call(x) recall(x)', { text: 'call(', wholeWord: true })).toEqual(['0:call(']);
  });

  test('of a regular expression that is valid only without the flag u', () => {
    const words = { regex: true, wholeWord: true };
    expect(found('a-b - -c é- 𝒳- 😀-', { text: String.raw`\-`, ...words })).toEqual(['4:-', '18:-']);
    expect(found('speed-a überspeed', { text: String.raw`[\w-a]+`, ...words })).toEqual(['0:speed-a']);
    expect(found('foo\\-bar', { text: String.raw`bar|\-`, ...words })).toEqual(['5:bar']);
  });

  test('of a regular expression', () => {
    expect(found('foo foobar barfoo', { text: 'foo|foobar', regex: true, wholeWord: true })).toEqual([
      '0:foo',
      '4:foobar',
    ]);
  });
});

describe('regular expressions', () => {
  test('match lines, groups and more than one line', () => {
    expect(found('let a;\nlet b;', { text: '^let (\\w)', regex: true })).toEqual(['0:let a', '7:let b']);
    expect(found('if (x) {\n  y\n}', { text: '\\{\\s*y\\s*\\}', regex: true })).toEqual(['7:{\n  y\n}']);
    const compiled = compileQuery({ ...PLAIN, text: '(?<key>\\w+)=(\\d+)?', regex: true });
    expect(compiled.ok && [...compiled.matcher('a=1 b=')].map(({ groups }) => groups)).toEqual([
      { numbered: ['a', '1'], named: { key: 'a' } },
      { numbered: ['b', null], named: { key: 'b' } },
    ]);
  });

  test('may match nothing', () => {
    expect(found('a\nb', { text: '^', regex: true })).toEqual(['0:', '2:']);
    expect(found('ab', { text: 'x*', regex: true })).toEqual(['0:', '1:', '2:']);
    // Not in the middle of a character.
    expect(found('😀', { text: 'x*', regex: true })).toEqual(['0:', '2:']);
  });

  test('may have needless escapes', () => {
    expect(found('a-b "c"', { text: 'a\\-b \\"c\\"', regex: true })).toEqual(['0:a-b "c"']);
  });

  test('that are invalid are explained', () => {
    expect(problem('Get(')).toBe('The regular expression is invalid: a "(" has no ")"; write "\\(" for the character.');
    expect(problem('a)')).toContain('a ")" has no "("');
    expect(problem('[a')).toContain('a "[" has no "]"');
    expect(problem('*a')).toContain('nothing before "*"');
    expect(problem('a\\')).toContain('it ends with "\\"');
    expect(problem('[z-a]')).toContain('out of order');
    expect(problem('a{2,1}')).toContain('out of order');
    expect(problem('(?<a>x)(?<a>y)')).toMatch(/^The regular expression is invalid: duplicate/);
    expect(compileQuery(PLAIN)).toEqual({ ok: false, problem: 'Enter a text to search for.' });
  });

  test('that are valid only inside the group of a whole word are invalid', () => {
    const compiled = compileQuery({ ...PLAIN, text: 'a)(?:b', regex: true, wholeWord: true });
    expect(compiled.ok).toBe(false);
  });
});
