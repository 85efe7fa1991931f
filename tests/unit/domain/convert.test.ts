import { fc } from '../../support/run/random.ts';
import { describe, expect, test } from 'vitest';
import { convert, MAX_JSON_LEVELS } from '#domain/tag/convert';
import type { Json } from '#domain/text/json';
import { parseJson } from '#domain/text/json';
import type { TagType } from '#domain/tag/tag';
import { TAG_TYPES } from '#domain/tag/tag';
import { cpuMsOf } from '../../support/cpu-time.ts';

const accepted = (value: Json, type: TagType): Json => {
  const result = convert(value, type);
  if (!result.ok) throw new Error(result.reason);
  return result.value;
};
const reasonOf = (value: Json, type: TagType): string => {
  const result = convert(value, type);
  if (result.ok) throw new Error(`${JSON.stringify(value)} was accepted as ${JSON.stringify(result.value)}`);
  return result.reason;
};

let deep: Json = 1;
for (let level = 0; level < MAX_JSON_LEVELS; level++) deep = [deep];

describe('convert', () => {
  test.each<[Json, TagType, Json]>([
    [true, 'Boolean', true],
    [1, 'Boolean', true],
    [0, 'Boolean', false],
    ['true', 'Boolean', true],
    [' False ', 'Boolean', false],
    ['1', 'Boolean', true],
    [12, 'Int', 12],
    ['12', 'Int', 12],
    ['12.00', 'Int', 12],
    ['-1e3', 'Int', -1000],
    [true, 'Int', 1],
    [Number.MAX_SAFE_INTEGER, 'Int', Number.MAX_SAFE_INTEGER],
    ['12.5', 'Double', 12.5],
    [' 12.5\n', 'Double', 12.5],
    ['0.1', 'Double', 0.1],
    ['0.10000000000000001', 'Double', 0.1],
    ['.5', 'Double', 0.5],
    ['1621518288466189.2', 'Double', 1621518288466189.25],
    ['1621518288466189.3', 'Double', 1621518288466189.25],
    ['1e-7', 'Double', 1e-7],
    ['1152921504606846976', 'Double', 2 ** 60],
    [7, 'Double', 7],
    [7.25, 'String', '7.25'],
    [false, 'String', 'false'],
    ['', 'String', ''],
    ['2026-01-31', 'DateTime', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T06:00Z', 'DateTime', '2026-01-31T06:00:00.000Z'],
    ['2026-01-31T06:00:00.5+02:00', 'DateTime', '2026-01-31T04:00:00.500Z'],
    ['2026-01-31 06:00:00,123-0530', 'DateTime', '2026-01-31T11:30:00.123Z'],
    ['2026-01-31T06:00:00.1230000Z', 'DateTime', '2026-01-31T06:00:00.123Z'],
    ['2024-02-29', 'DateTime', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', 'DateTime', '0001-01-01T00:00:00.000Z'],
    [{ a: [1, null] }, 'Json', { a: [1, null] }],
    ['text', 'Json', 'text'],
    [deep, 'Json', deep],
    ['', 'Bytes', ''],
    ['AAECAw==', 'Bytes', 'AAECAw=='],
  ])('%j to %s', (value, type, expected) => {
    expect(accepted(value, type)).toEqual(expected);
  });

  test.each<[Json, TagType, string]>([
    ['yes', 'Boolean', 'the text "yes" cannot be converted to Boolean: use true, false, 1 or 0'],
    [2, 'Boolean', 'the number 2 cannot be converted to Boolean'],
    [12.5, 'Int', 'the number 12.5 cannot be converted to Int: use a whole number'],
    ['12.5', 'Int', 'the text "12.5" cannot be converted to Int'],
    [2 ** 53, 'Int', 'an Int ranges from -9007199254740991'],
    ['9007199254740993', 'Int', 'cannot be converted to Int'],
    ['9007199254740990.9', 'Int', 'cannot be converted to Int'],
    ['', 'Int', 'the text "" cannot be converted to Int'],
    ['0x10', 'Int', 'the text "0x10"'],
    ['9007199254740993', 'Double', 'represent exactly'],
    ['0.1234567890123456789', 'Double', 'represent exactly'],
    ['1e999', 'Double', 'cannot be converted to Double'],
    ['1e-999', 'Double', 'cannot be converted to Double'],
    ['1,5', 'Double', 'cannot be converted to Double'],
    ['NaN', 'Double', 'cannot be converted to Double'],
    ['Infinity', 'Double', 'cannot be converted to Double'],
    [Number.NaN, 'Double', 'the number NaN cannot be converted to Double'],
    [Number.POSITIVE_INFINITY, 'String', 'the number Infinity cannot be converted to String'],
    [[1, 2], 'String', 'an array of 2 cannot be converted to String'],
    [{ a: 1, b: 2 }, 'Double', 'the object {a, b} cannot be converted to Double'],
    [{}, 'String', 'an empty object cannot be converted to String'],
    ['2026-01-31T06:00', 'DateTime', 'no offset; end it with Z'],
    ['2026-02-30', 'DateTime', 'this day does not exist'],
    ['2025-02-29', 'DateTime', 'this day does not exist'],
    ['1900-02-29', 'DateTime', 'this day does not exist'],
    ['2026-13-01', 'DateTime', 'this day does not exist'],
    ['2026-01-31T24:00:00Z', 'DateTime', 'this time of day does not exist'],
    ['2026-01-31T06:00:00.1234567Z', 'DateTime', 'keeps milliseconds'],
    ['0000-01-01', 'DateTime', 'years range from 0001'],
    ['9999-12-31T23:00:00-02:00', 'DateTime', 'years range from 0001'],
    ['yesterday', 'DateTime', 'use ISO text'],
    [1_700_000_000_000, 'DateTime', 'the number 1700000000000 cannot be converted to DateTime: use ISO text'],
    [[deep], 'Json', 'nested more than 500 levels'],
    [parseJson('{"a":[{"__proto__":{}}]}'), 'Json', 'the property name "__proto__" is not allowed'],
    ['AAE', 'Bytes', 'use Base64'],
    ['AAECA===', 'Bytes', 'use Base64'],
    ['AAECAx==', 'Bytes', 'use Base64'],
    ['AA_-', 'Bytes', 'use Base64'],
    [[1, 2], 'Bytes', 'use Base64'],
  ])('%j is rejected as %s', (value, type, reason) => {
    expect(reasonOf(value, type)).toContain(reason);
  });

  test('shows a long value abbreviated', () => {
    expect(reasonOf('x'.repeat(1_000_000), 'Int').length).toBeLessThan(200);
    expect(reasonOf(Object.fromEntries([['k'.repeat(100_000), 1]]), 'Int').length).toBeLessThan(200);
  });

  test('accepts null as no value in every type', () => {
    for (const type of TAG_TYPES) expect(accepted(null, type)).toBeNull();
  });

  test('handles long hostile texts at once', async () => {
    const texts = [
      '9'.repeat(999_999),
      `0.${'0'.repeat(500_000)}1`,
      `0.${'0'.repeat(500_000)}x`,
      `${'AAAA'.repeat(250_000)}!AAA`,
    ];
    const response = () => {
      for (const text of texts)
        for (const type of ['Int', 'Double', 'DateTime', 'Bytes'] as const) reasonOf(text, type);
    };
    expect(await cpuMsOf(response)).toBeLessThan(1_000);
  });

  test('is idempotent, and loses no number, Boolean or time', () => {
    const value = fc.oneof(
      fc.json().map(parseJson),
      fc.double({ noNaN: true }),
      fc.double({ noNaN: true }).map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.base64String(),
    );
    fc.assert(
      fc.property(value, fc.constantFrom(...TAG_TYPES), (given, type) => {
        const once = convert(given, type);
        fc.pre(once.ok);
        expect(convert(once.ok ? once.value : null, type)).toEqual(once);
      }),
      { numRuns: 2_000 },
    );
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(accepted(accepted(number, 'String'), 'Double')).toBe(number + 0);
      }),
    );
    fc.assert(
      fc.property(fc.maxSafeInteger(), (number) => {
        expect(accepted(accepted(number, 'String'), 'Int')).toBe(number + 0);
      }),
    );
    const moments = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(moments, (date) => {
        expect(accepted(date.toISOString(), 'DateTime')).toBe(date.toISOString());
      }),
    );
  });

  test('accepts exactly the Base64 that survives decoding and encoding', () => {
    const text = fc.oneof(
      fc.base64String(),
      fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64')),
      fc.string({ unit: fc.constantFrom('A', 'B', 'x', '/', '=', '9') }),
    );
    fc.assert(
      fc.property(text, (given) => {
        expect(convert(given, 'Bytes').ok).toBe(Buffer.from(given, 'base64').toString('base64') === given);
      }),
      { numRuns: 1_000 },
    );
  });
});
