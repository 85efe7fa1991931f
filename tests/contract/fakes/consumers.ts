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

/** One consumer. */
export function fakeConsumers(): Services['consumers'] {
  return {
    list: () => [CONSUMER],
    async *watch() {
      yield [CONSUMER];
    },
    inject: () => undefined,
    endFaults: () => ({ ended: 1 }),
  };
}
