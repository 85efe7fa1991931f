import type { ConformanceReport, SituationReport } from '#domain/event/conformance';
import type { Consumer } from '#domain/event/consumer';
import type { Services } from '../../../src-main/rpc/services.ts';

const AT = '2026-01-31T05:00:00.000Z';

/** A consumer of the events API with injected faults. */
const CONSUMER: Consumer = {
  name: 'test (127.0.0.1)',
  program: 'test',
  address: '127.0.0.1',
  firstAt: AT,
  lastAt: AT,
  requests: 3,
  polls: 2,
  lastPollAt: AT,
  intervalMs: 2_000,
  streams: 0,
  acknowledged: 1,
  unacknowledged: { count: 2, oldestId: 7, sentAt: AT },
  errors: 1,
  lastError: { at: AT, method: 'GET', path: '/api/events', status: 503 },
  readOnlyAttempts: 1,
  lastReadOnlyAttempt: { at: AT, eventId: 7, fields: ['RuleId'] },
  faults: {
    faults: ['503', 'cut'],
    share: 0.5,
    latencyMs: 100,
    seed: 1,
    requests: null,
    seconds: 60,
    injected: 1,
    endsAt: AT,
  },
};

const SITUATION: SituationReport = {
  name: 'list',
  title: 'A plain list',
  expected: 'Process every event.',
  state: 'failed',
  ms: 12,
  events: 100,
  acknowledged: 98,
  requests: 99,
  faults: 0,
  findings: [{ kind: 'lost', count: 2, message: 'Never acknowledged: 2 events: 7, 8' }],
  notes: [],
};
const REPORT: ConformanceReport = {
  format: 1,
  state: 'failed',
  client: null,
  consumers: ['test (127.0.0.1)'],
  others: [],
  seed: 1,
  startedAt: AT,
  ms: 12,
  version: '1.0.0',
  events: 100,
  lost: 2,
  twice: 0,
  hammered: 0,
  situations: [SITUATION],
};

/** One consumer. A check of it has one situation. */
export function fakeConsumers(): Services['consumers'] {
  return {
    list: () => [CONSUMER],
    async *watch() {
      yield [CONSUMER];
    },
    inject: () => undefined,
    endFaults: () => ({ ended: 1 }),
    async *check({ isOpen }) {
      const { name, title } = SITUATION;
      const apiKey = isOpen ? null : 'key';
      yield { kind: 'ready', url: 'http://127.0.0.1:1', apiKey, situations: [{ name, title }] };
      yield { kind: 'begun', name };
      yield { kind: 'situation', situation: SITUATION };
      yield { kind: 'done', report: REPORT, junit: '<testsuites/>', page: '<!doctype html>' };
    },
    endCheck: () => ({}),
  };
}
