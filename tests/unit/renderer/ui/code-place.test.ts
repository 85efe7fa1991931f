import { describe, expect, test } from 'vitest';
import { placeOf } from '../../../../src-renderer/ui/fields/code/place.ts';

const marked = (problem: string, text: string) => {
  const place = placeOf(problem, text);
  return place && text.slice(place.from, place.to);
};

describe('the place that a problem names', () => {
  test('a line and a column, with the word there', () => {
    expect(marked('Unexpected token in line 2, column 5', 'one\n  * wrong')).toBe('wrong');
    expect(marked('in JSON at position 9 (line 2 column 3)', '{"a": 1\n  }')).toBe('}');
  });

  test('a line alone, and a position alone', () => {
    expect(marked('invalid in line 2', 'one\ntwo three')).toBe('two');
    expect(marked('in JSON at position 4', '[1, x]')).toBe('x');
  });

  test('the end, where nothing is, marks the last character', () => {
    expect(marked('Unexpected token in line 1, column 5', '1 * ')).toBe('*');
    expect(marked('line 9, column 99', 'end')).toBe('d');
    expect(marked('Not an expression: Unexpected token at its end.', 'average > ')).toBe('>');
  });

  test('the text that SQLite names, as a whole word', () => {
    expect(marked('near "FRM": syntax error', 'SELECT frmx frm t')).toBe('frm');
    expect(marked('no such column: b', 'SELECT abc, b FROM t')).toBe('b');
    expect(marked('no such table: nowhere', 'SELECT 1 FROM nowhere')).toBe('nowhere');
  });

  test('none', () => {
    expect(placeOf('a value is missing', 'text')).toBeNull();
    expect(placeOf('no such table: gone', 'SELECT 1')).toBeNull();
    expect(placeOf('line 1, column 1', '')).toBeNull();
  });
});
