import type { WhyLine } from '#domain/run/why';
import type { Services } from '../../../src-main/rpc/services.ts';

const AT = '2026-01-02T03:04:05.678Z';
const line: WhyLine = {
  depth: 0,
  kind: 'write',
  at: AT,
  action: 'wrote Plant.Tag0.Value',
  actor: 'user eva',
  before: null,
  after: 1,
  entry: 7,
};

/** One entry, of a write. */
export const fakeJournal: Services['journal'] = {
  status: () => ({ since: AT, bytes: 100, recording: true }),
  list: () => ({ entries: [{ kind: 'write', line }], next: null }),
  get: () => ({ line, values: [line], run: null }),
  why: () => ({ thing: 'tag:Plant.Tag0.Value', since: AT, problem: null, causes: [line], window: null, effects: [] }),
  tag: () => ({
    writers: [{ actor: 'user eva', count: 2, at: AT }],
    readers: [
      {
        actor: 'script Line/Fill (version 1), line 2',
        script: { name: 'Line/Fill', version: 1 },
        line: 2,
        count: 1,
        at: AT,
        thing: 'run:7',
      },
    ],
    entries: 2,
    runs: 1,
    isComplete: true,
  }),
  pin: () => ({}),
  clear: () => ({}),
  export: () => ({ text: '[]\n', count: 0 }),
  capsule: () => ({ capsule: null, problem: 'it was debugged' }),
};
