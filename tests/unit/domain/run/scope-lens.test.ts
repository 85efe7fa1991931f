import { describe, expect, test } from 'vitest';
import { isReadFrom, lensText, originOf, originText, scopeWarnings } from '#domain/run/scope-lens';
import { scopeName } from '#domain/tag/scope';

const stored = (diagram: string, location: string, value: number) => ({ diagram, location, value });
const STORED = [stored('', '', 1), stored('D', '', 2), stored('', 'L', 3), stored('D', 'L', 4)];

describe('the origin of a value', () => {
  test('is the nearest stored value, which shadows the others of its chain', () => {
    expect(originOf({ diagram: 'D', location: 'L' }, STORED)).toEqual({
      origin: { from: 'stored', diagram: 'D', location: 'L' },
      shadows: [stored('D', '', 2), stored('', 'L', 3), stored('', '', 1)],
    });
    expect(originOf({ diagram: 'X', location: 'L' }, STORED)).toEqual({
      origin: { from: 'stored', diagram: '', location: 'L' },
      shadows: [stored('', '', 1)],
    });
    expect(originOf({ diagram: '', location: '' }, [])).toEqual({ origin: { from: 'initial' }, shadows: [] });
  });

  test('is a write of the run that is nearer than the stored value', () => {
    const read = { diagram: 'D', location: 'L' };
    const { origin } = originOf(read, [stored('D', '', 2)]);
    expect(isReadFrom({ diagram: 'D', location: 'L' }, read, origin)).toBe(true);
    expect(isReadFrom({ diagram: 'D', location: '' }, read, origin)).toBe(true);
    expect(isReadFrom({ diagram: '', location: '' }, read, origin)).toBe(false);
    expect(isReadFrom({ diagram: '', location: '' }, read, { from: 'initial' })).toBe(true);
    expect(isReadFrom({ diagram: 'E', location: 'L' }, read, origin)).toBe(false);
  });

  test('is a text', () => {
    const shadows = [{ diagram: '', location: '', value: '1' }];
    expect(originText({ origin: { from: 'stored', diagram: 'D', location: '' }, shadows })).toBe(
      'stored for D / default, shadows 1 of default',
    );
    expect(originText({ origin: { from: 'initial' }, shadows: [] })).toBe('initial value');
    expect(originText({ origin: { from: 'run' }, shadows: [] })).toBe('written by this run');
    expect(originText({ origin: null, shadows: [] })).toBe('');
    expect(scopeName({ diagram: '', location: 'L' })).toBe('default / L');
    expect(lensText('x'.repeat(400))).toHaveLength(300);
  });
});

describe('warnings of scopes', () => {
  const act = (path: string, line: number, diagram = '', location = '') => ({ path, line, diagram, location });
  const warn = (reads: ReturnType<typeof act>[], writes: ReturnType<typeof act>[]) =>
    scopeWarnings(reads, writes, (path) => path !== 'M').map(({ text, lines }) => [text, lines]);

  test('a tag that is read with the scope, and written without it, and the reverse', () => {
    expect(warn([act('A', 1, 'D', 'L')], [act('A', 2)])).toEqual([
      [
        'Reads A with its scope (line 1), and writes it without it (line 2): all Diagrams and locations get the value',
        [1, 2],
      ],
    ]);
    expect(warn([act('A', 1)], [act('A', 2, 'D')])).toEqual([
      [
        'Reads A without its scope (line 1), and writes it with it (line 2): only its own Diagram and location get the value',
        [1, 2],
      ],
    ]);
  });

  test('different tags, if all reads and all writes differ', () => {
    expect(warn([act('A', 1, 'D')], [act('B', 2)])).toHaveLength(1);
    expect(warn([act('A', 1, 'D'), act('C', 1)], [act('B', 2)])).toEqual([]);
    expect(warn([act('A', 1, 'D')], [act('B', 2), act('C', 2, 'D')])).toEqual([]);
  });

  test('not for equal scopes, other kinds of tags, and scripts that only read or write', () => {
    expect(warn([act('A', 1, 'D')], [act('A', 2, 'D')])).toEqual([]);
    expect(warn([act('A', 1)], [act('A', 2)])).toEqual([]);
    expect(warn([act('M', 1)], [act('A', 2, 'D')])).toEqual([]);
    expect(warn([act('A', 1, 'D')], [])).toEqual([]);
  });
});
