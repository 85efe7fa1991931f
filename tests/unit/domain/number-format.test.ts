import { describe, expect, test } from 'vitest';
import { formatted, isNumeric, problemOfFormat, SUGGESTED_FORMATS } from '#domain/tag/number-format';
import { shownAs, wholeValue } from '../../../src-renderer/support/shown-value.ts';

describe('number formats', () => {
  test.for([
    ['0', '412', '-2', '0'],
    ['0.00', '412.35', '-1.50', '0.00'],
    ['#,##0.0', '412.3', '-1.5', '0.0'],
    ['0.00E+0', '4.12E+2', '-1.50E+0', '0.00E+0'],
    ['0 %', '41235 %', '-150 %', '0 %'],
    ['0.##', '412.35', '-1.5', '0'],
    ['000', '412', '-002', '000'],
    ['0.0 "kg"', '412.3 kg', '-1.5 kg', '0.0 kg'],
    ['0.0;(0.0);"none"', '412.3', '(1.5)', 'none'],
  ])('%s shows places, groups and signs', ([format = '', ...shown]) => {
    expect(problemOfFormat(format)).toBeNull();
    expect([412.345_67, -1.5, 0].map((value) => formatted(value, format))).toEqual(shown);
  });

  test('every suggestion is valid', () => {
    expect(SUGGESTED_FORMATS.filter((format) => problemOfFormat(format) !== null)).toEqual([]);
    expect(formatted(1_234_567.891, '#,##0.0')).toBe('1,234,567.9');
  });

  test.for([
    ['abc', /only numbers have a format, not dates/],
    ['yyyy-mm-dd', /only numbers have a format, not dates/],
    ['h:mm', /not dates/],
    ['0.00E0', /not a number format\. Write a pattern such as 0\.00, #,##0\.0, 0\.00E\+0 or 0 %/],
    ['0 bar', /put other text in quotes: 0\.0 "kg"/],
    ['0.0 kg', /"g" is not a part of a number/],
    ['@', /"@" is not a part of a number/],
    ['General', /shows no digits/],
    ['kilo', /shows no digits|not a number format/],
    ['0.0.0', /more than one decimal point/],
    ['#.##', /shows nothing for 0\. Write 0 where a digit is always shown/],
    ['0.0;', /shows nothing for -1\.25/],
    ['0"', /not a number format/],
    ['constructor', /not a number format|not dates|not a part/],
    ['__proto__', /not a number format|shows no digits|not a part/],
  ] as const)('%s is rejected, with what to write', ([format, reason]) => {
    expect(problemOfFormat(format)).toMatch(reason);
  });

  test('a number beyond the digits of a double is not formatted', () => {
    expect(formatted(999_999_999_999_999, '#,##0')).toBe('999,999,999,999,999');
    expect(formatted(1e15, '#,##0')).toBeNull();
    expect(formatted(-1e300, '0.00')).toBeNull();
    expect(formatted(Number.NaN, '0.00')).toBeNull();
    expect(formatted(1, '0.00E0')).toBeNull();
  });

  test('only numbers are shown in a format; the full value has all digits', () => {
    expect(
      ['Int', 'Double', 'Boolean', 'String', 'Json', 'Unknown'].filter((type) => isNumeric(type as 'Int')),
    ).toEqual(['Int', 'Double']);
    expect([0.1 + 0.2, 'text', true, null, [1]].map((value) => shownAs(value, '0.00'))).toEqual([
      '0.30',
      'text',
      'true',
      'null',
      '[1]',
    ]);
    expect(shownAs(0.125, undefined)).toBe('0.125');
    expect([0.1 + 0.2, 'a\nb', null, { a: 1 }].map(wholeValue)).toEqual(['0.30000000000000004', 'a\nb', '', '{"a":1}']);
  });
});
