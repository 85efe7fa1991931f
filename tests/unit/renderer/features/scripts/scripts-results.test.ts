import { describe, expect, test } from 'vitest';
import {
  imageOf,
  shownPart,
  shownSize,
} from '../../../../../src-renderer/features/scripts/preview/panes/result-text.ts';
import { csvOf, nextOrder, sorted } from '../../../../../src-renderer/features/scripts/preview/panes/table.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('images', () => {
  test('Base64 text, data: URLs and responses of GetImage are images', () => {
    const url = `data:image/png;base64,${PNG}`;
    for (const result of [PNG, url, { Base64Image: PNG, ImageData: [137] }]) expect(imageOf(result)).toBe(url);
    expect(imageOf({ Success: true, ResponseObject: { Base64Image: PNG, ImageData: [] } })).toBe(url);
  });

  test('other results are not', () => {
    for (const result of ['iVBOR', 'text', 5, null, [PNG], { Base64Image: 5 }, { ResponseObject: PNG }]) {
      expect(imageOf(result)).toBeNull();
    }
  });
});

describe('long results', () => {
  test('as many whole lines are shown as fit', () => {
    expect(shownPart('a\nb\nc', 4)).toEqual({ text: 'a\nb', cut: true });
    expect(shownPart('a\nb\nc', 5)).toEqual({ text: 'a\nb\nc', cut: false });
    expect(shownPart('abcdef', 4)).toEqual({ text: 'abcd', cut: true });
  });

  test('one endless line is also cut', () => {
    const { text, cut } = shownPart(`[\n"${'x'.repeat(50_000)}"\n]`);
    expect(cut).toBe(true);
    expect(text.split('\n').map(({ length }) => length)).toEqual([1, 10_001, 1]);
  });

  test('sizes are for people', () => {
    expect([800, 12_300, 3_400_000].map(shownSize)).toEqual(['800 characters', '12 KB', '3.4 MB']);
  });
});

describe('tables', () => {
  const rows = [{ n: 10 }, { n: null }, { n: 9 }, { n: 'b10' }, {}, { n: 'b9' }];
  const valuesOf = (falling: boolean) => sorted(rows, { column: 'n', falling }).map((row) => row['n']);

  test('are sorted by a column: numbers, then texts with numbers in order, then nothing', () => {
    expect(valuesOf(false)).toEqual([9, 10, 'b9', 'b10', null, undefined]);
    expect(valuesOf(true)).toEqual(['b10', 'b9', 10, 9, null, undefined]);
    expect(sorted(rows, null)).toBe(rows);
  });

  test('a column is sorted ascending, descending, and then unsorted', () => {
    const first = nextOrder(null, 'a');
    const second = nextOrder(first, 'a');
    expect([first, second, nextOrder(second, 'a')]).toEqual([
      { column: 'a', falling: false },
      { column: 'a', falling: true },
      null,
    ]);
    expect(nextOrder(first, 'b')).toEqual({ column: 'b', falling: false });
  });

  test('are copied as CSV', () => {
    const csv = csvOf(['a', 'b'], [{ a: 'x, "y"', b: -5 }, { b: { c: [1] } }]);
    expect(csv).toBe('a,b\r\n"x, ""y""",-5\r\n,"{""c"":[1]}"\r\n');
  });
});
