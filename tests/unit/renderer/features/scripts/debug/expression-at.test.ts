import { describe, expect, test } from 'vitest';
import { expressionAt } from '../../../../../../src-renderer/features/scripts/debug/model/expression-at.ts';

/** The expression at the mark `|` in a line. */
function at(marked: string): string | null {
  const column = marked.indexOf('|') + 1;
  return expressionAt(marked.replace('|', ''), column)?.text ?? null;
}

describe('the expression under the pointer', () => {
  test.for([
    ['const spe|ed = 1;', 'speed'],
    ['|speed + 1', 'speed'],
    ['ord|er.items[0].name', 'order'],
    ['order.it|ems[0].name', 'order.items'],
    ['order.items[0].na|me', 'order.items[0].name'],
    ["row['full name'].le|ngth", "row['full name'].length"],
    ['a?.b|b', 'a?.bb'],
    ['this.va|lue', 'this.value'],
    ['größe|', 'größe'],
    ['x = $_|1', '$_1'],
  ])('%s: %s', ([marked, expected]) => {
    expect(at(marked ?? '')).toBe(expected);
  });

  test.for(['ret|urn 1', '1 |+ 2', '"a" |', '|', 'f().na|me', 'list[i].na|me', 'con|st a'])('none in %s', (marked) => {
    expect(at(marked)).toBeNull();
  });

  test('its columns are those of the text', () => {
    expect(expressionAt('  return order.total;', 18)).toEqual({ text: 'order.total', startColumn: 10, endColumn: 21 });
  });
});
