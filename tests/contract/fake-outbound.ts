import { isDeepStrictEqual } from 'node:util';
import type { LoggedCall } from '#domain/mock/api-call';
import { parseJson } from '#domain/text/json';
import type { Mock, MockRoute } from '#domain/mock/mock';
import { TagwrightError } from '../../src-main/platform/errors.ts';
import type { Services } from '../../src-main/rpc/services.ts';

const AT = '2026-01-02T03:04:05.678Z';

const MOCK_ROUTE: MockRoute = {
  name: 'Token',
  enabled: true,
  priority: 5,
  request: { method: 'POST', url: 'https://login/*', headers: [['Accept', '*']], body: { json: { a: [1, null] } } },
  answer: {
    status: 200,
    headers: [['content-type', 'application/json']],
    body: { kind: 'json', json: { access_token: 'ü' } },
    delayMs: 0,
    fault: null,
    template: true,
  },
};
const MOCK: Mock = { ...MOCK_ROUTE, id: 1, hits: 3, lastHitAt: null, position: 0 };

const CALL: LoggedCall = {
  seq: 1,
  at: AT,
  tag: 'Plant.Tag0.Value',
  dryRun: false,
  operation: 'Fetch',
  method: 'GET',
  url: 'http://example.com/',
  statusCode: '0',
  ms: 1.5,
  source: 'live',
  mock: null,
  error: 'Timeout',
  request: { headers: [['Accept', 'application/json']], body: null, bytes: 0 },
  response: null,
};

const silent = () => () => {};

/** Mocks, secrets and a call log in memory. */
export function fakeOutbound(): Pick<Services, 'mocks' | 'calls' | 'secrets'> {
  let mocks = [MOCK];
  let secrets = [{ name: 'ERP_KEY', changedAt: AT, readable: true }];
  return {
    mocks: {
      list: () => ({ mocks, mode: 'mockFirst', record: false }),
      save: ({ id = 2, base, ...route }) => {
        const there = mocks.find((one) => one.id === id);
        if (base && !(there && isDeepStrictEqual(there, { ...there, ...base }))) {
          const current = parseJson(JSON.stringify(there ?? null));
          throw new TagwrightError('CONFLICT', 'The mock was saved in the meantime.', { data: { current } });
        }
        const mock = { ...route, id, hits: 0, lastHitAt: null, position: 0 };
        mocks = [...mocks.filter((one) => one.id !== id), mock];
        return mock;
      },
      update: ({ changes }) => ({ count: changes.length }),
      delete: ({ ids }) => {
        const count = mocks.length;
        mocks = mocks.filter((one) => ids !== null && !ids.includes(one.id));
        return { count: count - mocks.length };
      },
      restartSequences: ({ ids }) => ({ count: ids?.length ?? mocks.length }),
      preview: () => ({ format: 'har', count: 0, mocks: [], skipped: ['PATCH /x'] }),
      import: ({ text }) => ({ format: 'har', added: text.length, removed: 0, skipped: ['PATCH /x'], ids: [2] }),
      export: () => ({ text: JSON.stringify({ mocks }), count: mocks.length }),
      check: ({ name }) => ({ issues: [{ path: ['request', 'url'], message: `The URL of ${name} is no pattern` }] }),
      try: ({ draft }) => ({
        mock: { id: draft?.id ?? 1, name: 'Token' },
        sequence: null,
        miss: null,
        answer: { status: 200, headers: [['content-type', 'text/plain']], text: 'ü', base64: null, bytes: 2 },
        error: null,
        ms: 0.5,
      }),
      ofCall: () => MOCK_ROUTE,
      restore: ({ mocks: back, remove }) => {
        mocks = [...mocks.filter(({ id }) => !remove.includes(id)), ...back];
        return { restored: back.length, removed: remove.length };
      },
      resetHits: () => undefined,
      onChange: (listener) => {
        queueMicrotask(() => listener({ total: mocks.length, hits: null }));
        return () => {};
      },
    },
    calls: {
      list: () => ({ calls: [CALL] }),
      async *watch() {
        yield [CALL];
      },
      image: () => ({ base64: 'iVBORw0KGgo=' }),
      clear: () => ({ count: 1 }),
    },
    secrets: {
      list: () => ({ secrets }),
      set: ({ name }) => {
        secrets = [...secrets, { name, changedAt: AT, readable: true }];
      },
      delete: ({ name }) => {
        secrets = secrets.filter((secret) => secret.name !== name);
      },
      onChange: silent,
    },
  };
}
