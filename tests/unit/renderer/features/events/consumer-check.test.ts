import { expect, test } from 'vitest';
import type { ConformanceReport, ConformanceStep, SituationReport } from '#domain/event/conformance';
import type { Client } from '../../../../../src-renderer/client/client.ts';
import {
  CheckRun,
  outcomeText,
  progressText,
} from '../../../../../src-renderer/features/events/check/consumer-check.ts';

const CHOICE = { client: 'erp', port: 0, isOpen: false, ruleId: 1, seed: 1, seconds: 20, waitSeconds: 300 };
const NOTHING = { ms: 5, events: 2, acknowledged: 2, requests: 3, faults: 0, findings: [], notes: [] };
const situation = (name: string, title: string): SituationReport => {
  return { name, title, expected: 'Read it.', state: 'passed', ...NOTHING };
};
const REPORT: ConformanceReport = {
  format: 1,
  state: 'cancelled',
  client: null,
  consumers: ['a', 'b'],
  others: [],
  seed: 1,
  startedAt: '',
  ms: 9,
  version: '1',
  events: 2,
  lost: 0,
  twice: 0,
  hammered: 0,
  situations: [situation('list', 'A list'), { ...situation('cut', 'A cut'), state: 'skipped' }],
};

/** A check whose steps the test sends; `fail` ends it with an error. */
function start() {
  let [queue, wake] = [[] as (ConformanceStep | Error)[], Promise.withResolvers<void>()];
  const calls: object[] = [];
  async function* steps() {
    for (;;) {
      for (const step of queue.splice(0)) {
        if (step instanceof Error) throw step;
        yield step;
        if (step.kind === 'done') return;
      }
      await wake.promise;
      wake = Promise.withResolvers();
    }
  }
  const consumers = {
    check: (input: object) => {
      calls.push(input);
      return Promise.resolve(steps());
    },
    endCheck: (input: object) => {
      calls.push(input);
      return Promise.resolve({});
    },
  };
  const check = new CheckRun({ consumers } as unknown as Pick<Client, 'consumers'>);
  const ended = check.start(CHOICE);
  const send = async (step: ConformanceStep | Error) => {
    queue.push(step);
    wake.resolve();
    for (let turns = 0; turns < 10; turns += 1) await Promise.resolve();
  };
  const progress = () => {
    const { running } = check.store.get();
    return running && progressText(running);
  };
  return { check, ended, send, progress, calls };
}

test('a check shows where the consumer is, and its report at the end', async () => {
  const { check, ended, send, progress, calls } = start();
  expect(progress()).toBe('Starting…');
  await check.start(CHOICE);
  expect(calls).toEqual([{ key: expect.any(String), ...CHOICE }]);
  const situations = [
    { name: 'list', title: 'A list' },
    { name: 'cut', title: 'A cut' },
  ];
  await send({ kind: 'ready', url: 'http://127.0.0.1:5', apiKey: 'k', situations });
  expect(check.store.get().running?.address).toEqual({ url: 'http://127.0.0.1:5', apiKey: 'k' });
  expect(progress()).toBe('Waiting for the first request of erp, at most 300 s');
  await send({ kind: 'begun', name: 'list' });
  expect(progress()).toBe('Situation 1 of 2: A list');
  await send({ kind: 'situation', situation: situation('list', 'A list') });
  expect(progress()).toBe('1 of 2 situations');
  await send({ kind: 'begun', name: 'cut' });
  expect(progress()).toBe('Situation 2 of 2: A cut');
  await check.end();
  expect(progress()).toBe('Ending…');
  expect(calls[1]).toEqual({ key: Reflect.get(calls[0] ?? {}, 'key') });
  await send({ kind: 'done', report: REPORT, junit: '<x/>', page: '<html>' });
  await ended;
  expect(check.store.get()).toMatchObject({ running: null, problem: null, choice: CHOICE, last: { junit: '<x/>' } });
  expect(outcomeText(REPORT)).toBe('a, b: ended after 1 of 2 situations');
  check.clear();
  expect(check.store.get().last).toBeNull();
});

test('a check that fails says why, and another one can begin', async () => {
  const { check, ended, send } = start();
  await send(new Error('Port 4870 is taken.'));
  await ended;
  expect(check.store.get()).toMatchObject({ running: null, last: null, problem: 'Port 4870 is taken.' });
  void check.start({ ...CHOICE, port: 4_871 });
  expect(check.store.get()).toMatchObject({ running: { choice: { port: 4_871 } }, problem: null });
});
