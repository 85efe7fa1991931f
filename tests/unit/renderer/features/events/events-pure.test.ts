import { describe, expect, test } from 'vitest';
import type { ApiRequest } from '#domain/mock/api-request';
import { CALL_LANGUAGES, readyCall } from '../../../../../src-renderer/features/events/model/ready-calls.ts';
import { matchingRequests, sortOf, statusText } from '../../../../../src-renderer/features/events/model/requests.ts';
import {
  between,
  isSelected,
  NOTHING_SELECTED,
  onlyThis,
  sizeOf,
  toggled,
} from '../../../../../src-renderer/features/events/model/selection.ts';

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

describe('requests of programs', () => {
  const request = (seq: number, more: Partial<ApiRequest>): ApiRequest => ({
    seq,
    at: '2026-01-01T00:00:00.000Z',
    method: 'GET',
    path: '/api/events/7',
    status: 200,
    outcome: 'answered',
    ms: 1,
    bytes: 10,
    client: '127.0.0.1',
    userAgent: '',
    ...more,
  });

  test.each([
    [{ status: 200 }, 'good', '200'],
    [{ status: 204 }, 'good', '204'],
    [{ status: 304 }, 'plain', '304'],
    [{ status: 404 }, 'warning', '404'],
    [{ status: 500 }, 'bad', '500'],
    [{ status: 0, outcome: 'aborted' }, 'bad', 'aborted'],
    [{ status: 200, outcome: 'aborted' }, 'bad', '200 aborted'],
  ] as const)('%o: %s, %s', (more, sort, text) => {
    const one = request(1, more);
    expect([sortOf(one), statusText(one)]).toEqual([sort, text]);
  });

  test('are found by words of method, path, status, client and program, in any case', () => {
    const all = [
      request(1, { method: 'PUT', userAgent: 'LineReport/1.2' }),
      request(2, { client: '10.1.2.3', path: '/api/events?limit=5' }),
      request(3, { status: 404, userAgent: 'curl/8' }),
    ];
    const found = (text: string) => matchingRequests(all, text).map(({ seq }) => seq);
    expect(found('  ')).toEqual([1, 2, 3]);
    expect(found('linereport')).toEqual([1]);
    expect(found('10.1')).toEqual([2]);
    expect(found('put 127.0')).toEqual([1]);
    expect(found('404 CURL')).toEqual([3]);
    expect(found('404 linereport')).toEqual([]);
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
