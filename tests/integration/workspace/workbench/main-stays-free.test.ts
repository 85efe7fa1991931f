import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createRouterClient } from '@orpc/server';
import { beforeAll, expect, test } from 'vitest';
import { createLog } from '../../../../src-main/platform/log.ts';
import { createRouter } from '../../../../src-main/rpc/router.ts';
import { openWorkbench } from '../../../../src-main/workbench.ts';
import { slownessOfMachine } from '../../../support/cpu-time.ts';
import { builtProduct, ROOT } from '../../../support/product/product.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

beforeAll(() => builtProduct());

/** How long main may be busy without a pause in normal work, in ms, on the machine of the requirements. */
const LONGEST_MS = 50;
const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
const TAG = 'Bottling.Scripts.Error.Message.Value';

/**
 * The longest work of this thread between two turns of its loop, in ms of its processor time. The delay of the loop,
 * which is printed, also includes the time of other processes and waiting for the disk.
 */
function followBusy(): { end: () => number } {
  let longest = 0;
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let before = used();
  const timer = setInterval(() => {
    const now = used();
    longest = Math.max(longest, now - before);
    before = now;
  }, 1);
  return {
    end: () => {
      clearInterval(timer);
      return longest;
    },
  };
}

test('main computes at most 50 ms at a time while scripts, tags and views work', async () => {
  const directory = join(temporaryFolder(), 'plant');
  const log = createLog({ write: () => {} });
  const workbench = await openWorkbench({ directory, root: ROOT, createSample: true, eventsPort: 0, log });
  try {
    const client = createRouterClient(createRouter(workbench.services, () => {}));
    const { scripts } = await client.scripts.list();
    const round = async (number: number) => {
      const all = [
        client.runs.execute({
          body: 'return TagValueManager.Get(["Bottling.Line1.Filler.Speed.Value"])',
          context,
          dryRun: false,
        }),
        client.runs.execute({ body: 'for (let i = 0; i < 3e7; i += 1); return 1', context, dryRun: true }),
        client.tags.set({ items: [{ tag: TAG, value: `round ${number}` }] }),
        client.tags.list({ limit: 1_000 }),
        client.tags.complete({ text: 'Bott' }),
        client.rules.list(),
        client.events.list({ limit: 500 }),
        ...scripts.slice(0, 5).map(({ id }) => client.scripts.get({ id })),
      ];
      await Promise.all(all);
    };
    // Compiling and loading for the first time counts as part of the start.
    for (let number = 0; number < 10; number += 1) await round(number);
    const slowness = await slownessOfMachine();
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const busy = followBusy();
    const until = performance.now() + 5_000;
    let rounds = 0;
    for (; performance.now() < until; rounds += 1) await round(rounds);
    const longestBusy = busy.end();
    delay.disable();
    const inMs = (nanoseconds: number) => (nanoseconds / 1e6).toFixed(1);
    console.info(
      `main in ${rounds} rounds: busy for at most ${longestBusy.toFixed(1)} ms without a pause; ` +
        `delay of its loop p99 ${inMs(delay.percentile(99))} ms, longest ${inMs(delay.max)} ms`,
    );
    expect(rounds).toBeGreaterThan(0);
    expect(longestBusy).toBeLessThan(LONGEST_MS * slowness);
  } finally {
    await workbench.close();
  }
});
