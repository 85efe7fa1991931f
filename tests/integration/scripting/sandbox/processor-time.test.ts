import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startedFromNow } from '../../../support/product/processes.ts';
import { realPool, runScript } from '../../../support/scripting/script-runs.ts';

const PATIENT = { scriptMs: 60_000, totalMs: 120_000 };

function poolOf() {
  const pool = realPool({ spare: false });
  onTestFinished(() => pool.close());
  return pool;
}

test.each([
  ['an endless loop', 'for (;;);'],
  ['an endless sequence of calls', "for (;;) TagValueManager.Get(['A.B.C.Value']);"],
])('%s is ended when its processor time is over', async (_, body) => {
  const outcome = await runScript(poolOf(), body, { limits: PATIENT, processorMs: 300 });
  expect(outcome).toMatchObject({
    status: 'timeout',
    error: { name: 'TimeoutError', message: 'the script took more than 300 ms of processor time' },
  });
});

test.runIf(process.platform === 'linux')('time in which a host gets no processor does not count', async () => {
  const hostPids = startedFromNow('script-host');
  const begun = Promise.withResolvers<void>();
  const body = "console.log('begun'); const until = Date.now() + 400; while (Date.now() < until); return 1;";
  const run = runScript(poolOf(), body, { limits: PATIENT, processorMs: 1_000, onConsole: () => begun.resolve() });
  await begun.promise;
  const [pid = 0] = hostPids();
  process.kill(pid, 'SIGSTOP');
  await sleep(1_500);
  process.kill(pid, 'SIGCONT');
  expect(await run).toMatchObject({ status: 'ok', result: 1 });
});
