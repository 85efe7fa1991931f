import { expect, test } from 'vitest';
import { acknowledgedTwice, hammered, polledTooFast } from '../../../../../src-main/events/api/conformance/judge.ts';
import type { Observed } from '../../../../../src-main/events/api/conformance/observed.ts';

const request = (some: Partial<Observed> & { at: number }): Observed => ({
  endedAt: some.at + 5,
  method: 'GET',
  path: '/api/events',
  isList: some.acknowledges === undefined,
  isFurtherPage: false,
  isStream: false,
  limit: null,
  status: 200,
  isComplete: true,
  isFault: false,
  isFailure: false,
  retryAfterMs: null,
  acknowledges: null,
  ...some,
});
const put = (at: number, id: number, some: Partial<Observed> = {}) =>
  request({ at, method: 'PUT', path: `/api/events/${id}`, acknowledges: id, ...some });
const failure = { status: 500, isFailure: true, isFault: true };
const busy = (at: number, seconds: number) =>
  request({ at, status: 503, isFailure: true, isFault: true, retryAfterMs: seconds * 1_000 });

test('a second acknowledgement counts only if the first response arrived', () => {
  expect(acknowledgedTwice([put(0, 1), put(10, 2), put(20, 1), put(30, 1)])).toEqual([
    { kind: 'twice', count: 1, message: 'Acknowledged again without need: 1 event: 1' },
  ]);
  expect(acknowledgedTwice([put(0, 1, { isComplete: false, status: 0 }), put(10, 1)])).toEqual([]);
  expect(acknowledgedTwice([put(0, 1, failure), put(10, 1)])).toEqual([]);
  // Disabled and then deleted is one acknowledgement in two steps; a second DELETE is none.
  expect(acknowledgedTwice([put(0, 1), put(10, 1, { method: 'DELETE', status: 204 })])).toEqual([]);
  const gone = put(20, 1, { method: 'DELETE', status: 404 });
  expect(acknowledgedTwice([put(10, 1, { method: 'DELETE', status: 204 }), gone])).toMatchObject([{ count: 1 }]);
  expect(acknowledgedTwice([put(0, 7, { status: 404 }), put(10, 7, { status: 404 })])).toEqual([]);
});

test('requests before Retry-After count, except those on their way', () => {
  expect(hammered([busy(0, 2), request({ at: 300 })])).toEqual([
    {
      kind: 'hammered',
      count: 1,
      message: '1 request before the time of Retry-After (2 s) had passed, the first after 0.29 s',
    },
  ]);
  expect(hammered([busy(0, 2), request({ at: 2_000 })])).toEqual([]);
  expect(hammered([busy(0, 2), put(8, 1), put(9, 2)])).toEqual([]);
  const many = Array.from({ length: 6 }, (_, id) => put(100 + 20 * id, id + 1));
  expect(hammered([busy(0, 2), ...many])).toMatchObject([{ count: 6 }]);
  // Each early request counts once, even if several responses asked to wait.
  expect(hammered([busy(0, 2), busy(1, 2), ...many])).toMatchObject([{ count: 6 }]);
});

test('the third attempt comes after a pause', () => {
  const failed = (at: number) => request({ at, ...failure });
  expect(hammered([failed(0), failed(10), request({ at: 20 })])).toMatchObject([
    { count: 1, message: expect.stringMatching(/^1 request repeated without a pause .* after 0\.005 s;/) },
  ]);
  expect(hammered([failed(0), request({ at: 6 }), failed(20), request({ at: 26 })])).toEqual([]);
  expect(hammered([failed(0), failed(500), failed(1_500), request({ at: 3_500 })])).toEqual([]);
  // Parallel requests for one target fail together.
  expect(hammered([failed(0), failed(1), failed(2), request({ at: 8 })])).toEqual([]);
});

test('many failing requests of different targets count', () => {
  const failing = (gap: number) => Array.from({ length: 12 }, (_, id) => put(id * gap, id + 1, failure));
  expect(hammered(failing(60))).toMatchObject([{ kind: 'hammered', count: 11 }]);
  expect(hammered(failing(500))).toEqual([]);
  expect(hammered(failing(1))).toEqual([]);
});

test('endless attempts to acknowledge a missing event count', () => {
  const attempts = (count: number) => Array.from({ length: count }, (_, at) => put(at * 1_000, 7, { status: 404 }));
  expect(hammered(attempts(3))).toEqual([]);
  expect(hammered(attempts(4))).toMatchObject([{ count: 1, message: expect.stringContaining('1 event: 7') }]);
});

test('two polls a second are acceptable', () => {
  const polls = (count: number) => Array.from({ length: count }, (_, at) => request({ at }));
  expect(polledTooFast([...polls(10), put(3, 1)], 5_000)).toEqual([]);
  expect(polledTooFast(polls(11), 5_000)).toEqual([
    { kind: 'hammered', count: 11, message: '11 polls in 5 s without news; at most 10 are acceptable' },
  ]);
});
