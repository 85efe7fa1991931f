import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { FROM_HOST } from '../../../../src-main/scripting/sandbox/protocol/messages.ts';
import { IdleWatch } from '../../../../src-main/platform/host-pipe/idle-watch.ts';
import type { ProcessReader } from '../../../../src-main/platform/host-pipe/process-reader.ts';
import { RunSession } from '../../../../src-main/scripting/sandbox/supervisor/run-session.ts';
import { ScriptHost } from '../../../../src-main/scripting/sandbox/supervisor/script-host.ts';
import { FakeHost } from '../../../support/scripting/fake-host.ts';
import { jobOf } from '../../../support/scripting/script-runs.ts';

const LOOK_MS = 20;
const MB = 1024 * 1024;
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A host that is ready, and the reason why the watch ended it. */
function watched(usage: (sinceMs: number) => { mb?: number; processorMs?: number }): {
  host: ScriptHost;
  fake: FakeHost;
  reasons: string[];
} {
  const reasons: string[] = [];
  const listener = {
    ready: () => undefined,
    prepared: () => undefined,
    ended: () => undefined,
    unread: () => undefined,
    exited: () => undefined,
    violated: () => undefined,
    givenUp: (_: ScriptHost, reason: string) => void reasons.push(reason),
  };
  const fakes: FakeHost[] = [];
  const host = new ScriptHost(
    (events) => {
      const fake = new FakeHost(events, () => undefined, 1);
      fakes.push(fake);
      return fake;
    },
    64,
    listener,
  );
  const [fake] = fakes as [FakeHost];
  fake.say(FROM_HOST.ready);
  host.baselineBytes = 50 * MB;
  const start = performance.now();
  const processes: ProcessReader = {
    intervalMs: LOOK_MS,
    idleIntervalMs: LOOK_MS,
    memory: () => undefined,
    usage: (_, then) => {
      const { mb = 50, processorMs = 0 } = usage(performance.now() - start);
      then(mb * MB, processorMs);
    },
  };
  const watch = new IdleWatch(new Set([host]), processes);
  watch.start();
  stops.push(() => watch.stop());
  return { host, fake, reasons };
}

describe('a host without a run', () => {
  test('is not ended while it sleeps', async () => {
    const { host, reasons } = watched(() => ({}));
    await wait(6 * LOOK_MS);
    expect(reasons).toEqual([]);
    expect(host.state).toBe('idle');
  });

  test('is ended when it uses processor time', async () => {
    const { fake, reasons } = watched((sinceMs) => ({ processorMs: sinceMs }));
    await expect.poll(() => reasons.length).toBe(1);
    expect(reasons[0]).toMatch(/^used \d+ ms of processor time while it was idle$/);
    expect(fake.killed).toBe(true);
  });

  test('is ended when it uses more memory than a run may', async () => {
    const { fake, reasons } = watched(() => ({ mb: 50 + 64 + 97 }));
    await expect.poll(() => reasons).toEqual(['held 211 MB while it was idle']);
    expect(fake.killed).toBe(true);
  });

  test('may have used processor time before, in a run', async () => {
    let processorMs = 0;
    const { host, fake, reasons } = watched(() => ({ processorMs }));
    for (let round = 0; round < 5; round += 1) {
      await wait(LOOK_MS);
      host.run(new RunSession(jobOf('1'), 0));
      processorMs += 1_000;
      fake.returns(1);
    }
    expect(reasons).toEqual([]);
  });
});
