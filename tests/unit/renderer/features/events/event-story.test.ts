import { expect, test } from 'vitest';
import type { ApiRequest } from '#domain/mock/api-request';
import { accessesOf } from '../../../../../src-renderer/features/events/event-story.ts';

const AT = '2026-05-04T03:02:01.000+00:00';

const requestOf = (seq: number, path: string, userAgent = 'mes/2'): ApiRequest => ({
  seq,
  at: AT,
  method: 'GET',
  path,
  status: 200,
  ms: 1,
  bytes: 100,
  client: '127.0.0.1:5000',
  userAgent,
  outcome: 'answered',
});

test('equal requests of an event are each one access, next to the lists that had it', () => {
  const requests = [
    requestOf(4, '/api/events/7'),
    requestOf(3, '/api/events/7?pretty=1'),
    requestOf(2, '/api/events/77'),
    requestOf(1, '/api/events/7', ''),
  ];
  const line = { depth: 0, kind: 'request' as const, entry: 0, event: 7 };
  const seen = { ...line, at: '2026-05-04T03:02:02Z', action: 'first seen after 1.2 s', actor: 'mes/2 (127.0.0.1)' };
  const read = {
    ...line,
    at: AT,
    action: 'requested GET /api/events/7: status 200',
    actor: 'mes/2',
    thing: 'request:4',
  };
  const accesses = accessesOf(7, requests, { window: null, effects: [seen, read] });
  expect(accesses.map(({ what, client }) => [what, client])).toEqual([
    ['first seen after 1.2 s', 'mes/2 (127.0.0.1)'],
    ['GET 200', 'mes/2'],
    ['GET 200', 'mes/2'],
    ['GET 200', '127.0.0.1:5000'],
  ]);
  expect(new Set(accesses.map(({ key }) => key)).size).toBe(4);
});
