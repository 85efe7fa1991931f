import { fc } from '../../../support/run/random.ts';
import { describe, expect, test } from 'vitest';
import { durationOf } from '../../../../src-renderer/features/aggregations/model/duration.ts';
import { readValue } from '#domain/run/saved-context';
import { parseDuration } from '../../../../src-renderer/features/tags/edit/duration.ts';
import { typedNumber, typedWhole } from '#domain/text/typed-number';
import type { TypedNumber } from '#domain/text/typed-number';
import { typedValue } from '../../../../src-renderer/support/typed-value.ts';

const saidOf = (read: TypedNumber | ReturnType<typeof typedValue>) => (read.ok ? read.value : read.reason);

/** Typed text, the number, and the whole number from 1 to 5,000. A text is a part of the error message. */
const TABLE: [text: string, number: number | string, whole: number | string][] = [
  ['7', 7, 7],
  [' 7 ', 7, 7],
  ['+7', 7, 7],
  ['-7', -7, 'from 1 to 5,000'],
  ['\u22127', -7, 'from 1 to 5,000'],
  ['-0', 0, 'from 1 to 5,000'],
  ['1.5', 1.5, 'without commas and points'],
  ['1,5', 1.5, 'without commas and points'],
  [',5', 0.5, 'without commas and points'],
  ['-0,125', -0.125, 'without commas and points'],
  ['1,5e3', 1_500, 'without commas and points'],
  ['12.125', 12.125, 'without commas and points'],
  ['1,500', '"1,500" is ambiguous: enter 1.500 or 1500', 'without commas and points'],
  ['-12,500', 'enter -12.500 or -12500', 'without commas and points'],
  ['1234,567', 1_234.567, 'without commas and points'],
  ['1 000', 1_000, 1_000],
  ['1\u202f000', 1_000, 1_000],
  ['1\u00a0000,5', 1_000.5, 'without commas and points'],
  ["1'000.5", 1_000.5, 'without commas and points'],
  ['10 000', 10_000, 'from 1 to 5,000'],
  ['1 0', 'has separators between its digits', 'whole number'],
  ['1.000,5', 'has separators between its digits', 'without commas and points'],
  ['1,234.5', 'has separators between its digits', 'without commas and points'],
  ['1.000.000', 'has separators between its digits', 'without commas and points'],
  ['1e3', 1_000, 'whole number'],
  ['１', 'Enter a number, such as 12.5', 'whole number'],
  ['٣', 'Enter a number, such as 12.5', 'whole number'],
  ['', 'Enter a number, such as 12.5', 'whole number'],
  ['abc', 'Enter a number, such as 12.5', 'whole number'],
  ['12 apples', 'Enter a number, such as 12.5', 'whole number'],
  ['0x10', 'Enter a number, such as 12.5', 'whole number'],
  ['Infinity', 'Enter a number, such as 12.5', 'whole number'],
  ['1e999', 'Enter a number, such as 12.5', 'whole number'],
  ['0.12345678901234567890123', 'Enter fewer digits', 'without commas and points'],
  ['99999999999999999999', 'Enter fewer digits', 'too many digits'],
  ['100000000000000000000', 1e20, 'too many digits'],
];

describe('numbers in formats of any country', () => {
  test.for(TABLE)('"%s"', ([text, number, whole]) => {
    const numbers = [typedNumber(text), typedWhole(text, { min: 1, max: 5_000 })].map(saidOf);
    for (const [at, wanted] of [number, whole].entries()) {
      expect(numbers[at]).toEqual(typeof wanted === 'number' ? wanted : expect.stringContaining(wanted));
    }
  });

  test('any number reads back from its text', () => {
    const numbers = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
    fc.assert(
      fc.property(numbers, (value) => {
        expect(saidOf(typedNumber(String(value)))).toBe(value);
      }),
    );
    fc.assert(
      fc.property(fc.integer(), (value) => {
        expect(saidOf(typedWhole(String(value)))).toBe(value);
      }),
    );
  });

  test('the value of a tag, of a run and a time are read in the same way', () => {
    for (const [text, number] of TABLE) {
      const value = readValue({ valueMode: 'number', valueText: text });
      expect(value.kind === 'value').toBe(typeof number === 'number');
      if (value.kind === 'value') expect(value.value).toBe(number);
      if (text === '') continue;
      const ofTag = typedValue(text, 'Double');
      expect(ofTag.ok).toBe(typeof number === 'number');
      if (ofTag.ok) expect(ofTag.value).toBe(number);
    }
    const times = ['1,5 s', '1.5s', '1 500 ms', '1,500 s', '1.000,5 s', '-1 s', '1e3 ms', '１ s', '5', '', '0.5 ms'];
    const refusal = expect.stringMatching(/enter a (number|duration)/i);
    const [two, marks] = [
      expect.stringContaining('enter 1.500 or 1500'),
      expect.stringContaining('separators between'),
    ];
    const common = [1_500, 1_500, 1_500, two, marks, refusal, refusal, refusal];
    expect(times.map((text) => saidOf(durationOf(text)))).toEqual([...common, refusal, refusal, refusal]);
    expect(times.map((text) => saidOf(parseDuration(text)))).toEqual([...common, 5, refusal, 0.5]);
  });
});
