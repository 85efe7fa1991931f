import { describe, expect, test } from 'vitest';
import { CALL_LANGUAGES, readyCall } from '../../../src-renderer/features/events/model/ready-calls.ts';
import {
  between,
  isSelected,
  NOTHING_SELECTED,
  onlyThis,
  sizeOf,
  toggled,
} from '../../../src-renderer/features/events/model/selection.ts';

describe('the selection of events', () => {
  test('changes one by one', () => {
    const two = toggled(onlyThis(3), 7);
    expect([3, 7, 5].map((id) => isSelected(two, id))).toEqual([true, true, false]);
    expect(sizeOf(two)).toBe(2);
    expect(sizeOf(toggled(two, 3))).toBe(1);
    expect(sizeOf(NOTHING_SELECTED)).toBe(0);
  });

  test('covers ranges in either order, with exceptions and additions', () => {
    const some = toggled(toggled(between(1_000_000, 10, 900_000), 500), 5);
    expect([9, 10, 500, 1_000_000, 1_000_001, 5].map((id) => isSelected(some, id))).toEqual([
      false,
      true,
      false,
      true,
      false,
      true,
    ]);
    expect(sizeOf(some)).toBe(900_000);
    expect(isSelected(toggled(some, 500), 500)).toBe(true);
  });
});

describe('ready calls', () => {
  const call = { method: 'PUT', url: 'http://127.0.0.1:4860/api/events/7', body: '{"Active": false}' } as const;

  test.each(CALL_LANGUAGES)('%s has method, address, body and type', (language) => {
    const text = readyCall(call, language, false);
    for (const part of [/put/i, call.url, 'application/json', 'Active']) expect(text).toMatch(part);
    expect(text).not.toContain('X-API-Key');
    expect(readyCall(call, language, true)).toContain('X-API-Key');
    expect(readyCall({ ...call, method: 'GET', body: null }, language, false)).not.toContain('application/json');
  });
});
