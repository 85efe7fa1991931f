import { expect, onTestFinished, test } from 'vitest';
import type { InstanceClient } from '../../../../src-main/host/instance-client.ts';
import { systemClock } from '../../../../src-main/platform/clock.ts';
import { DebugService } from '../../../../src-main/scripting/debug/debug-service.ts';
import { DebugClient } from '../../../support/scripting/debug-client.ts';
import { TEST_SCRIPT_HOST } from '../../../support/product/build-script-host.ts';
import { isRunning, startedFromNow } from '../../../support/product/processes.ts';
import { jobOf } from '../../../support/scripting/script-runs.ts';

/** A service whose runs have no tags, and stay paused for this time at most. */
function serviceOf(pausedMinutes: () => number) {
  const service = new DebugService({
    runs: {
      execute: async ({ body, context }, _signal, debugging) => {
        const form = await debugging?.attach({ body, context });
        if (!debugging || !form) throw new Error('it is not debugged');
        const { signal } = form;
        const job = jobOf(form.body, { context });
        const run = { ...job, ...(form.debug && { debug: form.debug }), calls: form.calls(job.calls), signal };
        const { status, result, error } = form.ended(await debugging.runner.run(run));
        return { status, result, error } as never;
      },
    },
    tests: {
      run: () => Promise.resolve({ passed: false, failures: [], report: null, events: [] }),
      subject: () => {
        throw new Error('no tests');
      },
    },
    mask: () => null,
    names: { ofTag: () => null, expressionOf: () => null, byId: () => null, byName: () => null },
    tags: { get: () => [] },
    hosts: { hostFile: TEST_SCRIPT_HOST, nodeBinary: process.execPath },
    rules: () => ({ jitless: false, requireOsSandbox: false }),
    pausedMinutes,
    clock: systemClock,
    log: () => undefined,
  });
  onTestFinished(() => service.close());
  const client = {
    debug: {
      open: (given: { session?: string }, { signal }: { signal: AbortSignal }) =>
        Promise.resolve(service.open(given, signal)),
      send: (given: { session: string; command: string }) => service.send(given),
    },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the part of it that a session needs
  } as unknown as InstanceClient;
  return { service, client };
}

test('a run that stays paused for the time of the setting ends, and says why', async () => {
  let minutes = 60;
  const { service, client } = serviceOf(() => minutes);
  const long = await DebugClient.open(client);
  await long.launch({ body: 'return 1;', stopOnEntry: true });
  await long.ok('configurationDone');
  await long.stopped();
  minutes = 0.001;
  const short = await DebugClient.open(client);
  await short.launch({ body: "console.log('here');\nreturn 1;", stopOnEntry: true });
  await short.ok('configurationDone');
  expect(await short.report()).toMatchObject({ status: 'cancelled', result: null });
  expect(short.outputs().at(-1)).toMatch(/ended because it was paused for .* \(setting debug\.pausedMinutes\)/);
  expect(service.sessions().map(({ state }) => state)).toEqual(['paused', 'ended']);
  await long.ok('continue');
  expect(await long.report()).toMatchObject({ status: 'ok', result: 1 });
});

test('the end of a paused run is the end of its process', async () => {
  const { client } = serviceOf(() => 60);
  const started = startedFromNow('script-host');
  const debug = await DebugClient.open(client);
  await debug.launch({ body: 'for (;;) {\n  const a = 1;\n}', stopOnEntry: true });
  await debug.ok('configurationDone');
  await debug.stopped();
  // One of them is the spare.
  const hosts = started();
  await debug.ok('terminate');
  expect(await debug.report()).toMatchObject({ status: 'cancelled' });
  await expect.poll(() => hosts.filter(isRunning).length).toBeLessThan(hosts.length);
});
