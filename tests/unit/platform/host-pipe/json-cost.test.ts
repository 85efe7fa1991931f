import { fc } from '../../../support/run/random.ts';
import { describe, expect, test } from 'vitest';
import { excessOf } from '../../../../src-main/platform/host-pipe/json-cost.ts';
import {
  JSON_COST,
  MAX_JSON_COST,
  MAX_JSON_DEPTH,
  UNSCANNED_BYTES,
} from '../../../../src-main/platform/host-pipe/limits.ts';
import { MAX_CALL_BYTES } from '../../../../src-main/scripting/sandbox/protocol/limits.ts';

/** The text after a prefix that makes it long enough to be checked. */
const padded = (text: string): Buffer => Buffer.from(`"${'x'.repeat(UNSCANNED_BYTES)}"${text}`);
const listOf = (count: number, item: (index: number) => string): string =>
  `[${Array.from({ length: count }, (_, index) => item(index)).join(',')}]`;
const excess = (text: string, most = MAX_JSON_COST) => excessOf(padded(text), most);

/** The minimum and maximum cost of a value, counted after parsing. */
function boundsOf(value: unknown): [least: number, most: number] {
  if (typeof value === 'string') return [JSON_COST.text, JSON_COST.text + JSON_COST.newText];
  // `true` and `false` contain the letter of an exponent.
  if (typeof value === 'boolean') return [0, JSON_COST.longNumber];
  if (typeof value === 'number') return [0, 4 * JSON_COST.longNumber];
  if (typeof value !== 'object' || value === null) return [0, 0];
  let [least, most] = [JSON_COST.container as number, JSON_COST.container as number];
  const members = Object.entries(value);
  const name = Array.isArray(value) ? 0 : JSON_COST.text + JSON_COST.member;
  for (const [, member] of members) {
    const [inner, outer] = boundsOf(member);
    least += inner + name;
    most += outer + name + (Array.isArray(value) ? 0 : JSON_COST.newText + JSON_COST.newShape);
  }
  const commas = Math.max(0, members.length - 1) * JSON_COST.other;
  return [least + commas, most + commas];
}

describe('the cost of a JSON text', () => {
  test('is between the cost of its parts with and without new names and texts', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const [least, most] = boundsOf(JSON.parse(text));
        expect(excess(text, most + JSON_COST.text)).toBeNull();
        if (least > 0) expect(excess(text, least - 1)).toBe('parts');
      }),
    );
  });

  test('does not count the content of texts, however it is escaped', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', '\\', '{', '[', ',', ':', 'é', 'x'), maxLength: 400 }),
        (text) => {
          expect(excess(JSON.stringify([text, text]), JSON_COST.container + 50)).toBeNull();
        },
      ),
    );
  });

  test.each([
    [
      '100,000 items of a Set',
      listOf(100_000, (index) => `{"tag":"Plant.Line.Tag ${index}.Value","value":${index}.5}`),
    ],
    ['100,000 paths of a Get', listOf(100_000, (index) => `"Plant.Line.Tag ${index}.Value"`)],
    [
      '100,000 rows of 10 numbers',
      listOf(
        100_000,
        () =>
          `{${'abcdefghij'
            .split('')
            .map((name) => `"${name}":15`)
            .join(',')}}`,
      ),
    ],
    ['an object of 100,000 names', `{${listOf(100_000, (index) => `"Plant.Line.Tag ${index}":true`).slice(1, -1)}}`],
    ['a text of 64 MB', `"${'x'.repeat(MAX_CALL_BYTES - 100)}"`],
    ['a text of quotes', `"${String.raw`\"`.repeat(10_000_000)}"`],
    ['no JSON', ']}'.repeat(1_000)],
  ])('allows %s', (_, text) => {
    expect(excess(text)).toBeNull();
  });

  test.each([
    ['12,000,000 empty objects', listOf(12_000_000, () => '{}')],
    ['1,000,000 empty arrays', listOf(1_000_000, () => '[]')],
    ['10,000,000 numbers', listOf(10_000_000, () => '1')],
    ['3,000,000 fractions', listOf(3_000_000, () => '1.5')],
    ['3,000,000 long numbers', listOf(3_000_000, () => '1234567890')],
    ['objects that all have names of their own', listOf(150_000, (index) => `{"${index.toString(36)}":1}`)],
    [
      'names in every order',
      listOf(
        150_000,
        (index) => `{${[1, 50, 2_500].map((by) => `"n${by}-${Math.floor(index / by) % 50}":1`).join(',')}}`,
      ),
    ],
    ['long names that differ at their end', listOf(150_000, (index) => `{"${'x'.repeat(300)}${index}":1}`)],
    ['half a million short texts', listOf(600_000, (index) => `"${index.toString(36)}"`)],
  ])('rejects %s', (_, text) => {
    expect(excess(text)).toBe('parts');
  });

  test('rejects values that are nested too deeply for a call', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(excess(nested(MAX_JSON_DEPTH + 15))).toBeNull();
    expect(excess(nested(MAX_JSON_DEPTH + 25))).toBe('depth');
    expect(excess('[]'.repeat(1_000))).toBeNull();
  });

  test.each([
    ['between its parts', `[1,${' '.repeat(100)}2]`],
    ['after a value', `[1${'\n'.repeat(100)}]`],
    ['at its end', `[1]${'\t'.repeat(100)}`],
    ['and nothing else', ' '.repeat(100)],
  ])('rejects white space %s, which the parser would read for long', (_, text) => {
    expect(excess(text)).toBe('blanks');
  });

  test('is not checked for a short text', () => {
    expect(excessOf(Buffer.from('['.repeat(UNSCANNED_BYTES)), 1)).toBeNull();
  });
});
