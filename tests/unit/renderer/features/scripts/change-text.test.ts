import { expect, test } from 'vitest';
import { changeText } from '../../../../../src-renderer/features/scripts/model/change-text.ts';

const BEFORE = { group: 'Lines', name: 'OEE', description: '', body: 'a\nb\nc\nd' };
const withBody = (body: string) => changeText(BEFORE, { ...BEFORE, body });

test.for([
  ['a\nB\nc\nd', 'Line 2 changed'],
  ['a\nB\nC\nd', 'Lines 2 to 3 changed'],
  ['a\nb\nc\nd\ne', '1 line added at line 5'],
  ['x\ny\na\nb\nc\nd', '2 lines added at line 1'],
  ['a\nd', '2 lines removed at line 2'],
  ['a\nX\nd', 'Line 2 in place of 2 lines'],
  ['a\nX\nY\nZ\nd', 'Lines 2 to 4 in place of 2 lines'],
  ['a\nb\nb\nc\nd', '1 line added at line 3'],
  ['', 'Line 1 in place of 4 lines'],
])('a save lists its changed lines: %j', ([body, text]) => {
  expect(withBody(body ?? '')).toBe(text);
});

test('a save lists its other changes, or none', () => {
  expect(changeText(null, BEFORE)).toBe('The first version');
  expect(changeText(BEFORE, BEFORE)).toBe('Nothing changed');
  expect(changeText(BEFORE, { group: 'Halls', name: 'Yield', description: 'x', body: 'a\nb\nc' })).toBe(
    '1 line removed at line 4, renamed from “OEE”, moved from “Lines”, description changed',
  );
});
