import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEBUG_LIMITS } from '#domain/run/debug';
import { VALUES_LIMITS } from '#domain/run/shown-values';
import type { InstanceClient } from '../../../src-main/host/instance-client.ts';
import { createLog } from '../../../src-main/platform/log.ts';
import { createRouter } from '../../../src-main/rpc/router.ts';
import { openWorkbench, type Workbench } from '../../../src-main/workbench.ts';
import { DebugClient } from '../../support/scripting/debug-client.ts';
import { builtProduct, ROOT } from '../../support/product/product.ts';
import { sampled } from '../../support/run/scale.ts';
import { sharedFolder } from '../../support/temp-folder.ts';
import { type Attack, ENOUGH_MS, scriptMsOf } from './corpus/attack.ts';
import { CORPUS } from './corpus/index.ts';

/** A debugged run has this many times the script time, because probes take time. */
const SLOWER = 4;

const debuggable = ({ body }: Attack): boolean => body.length <= DEBUG_LIMITS.body;

/** The result of a run after an attack. */
const PROBE = `console.log([1, 2, 3].map(String).join(), JSON.stringify({ a: 1 }));
return [typeof evil, Object.keys({}).length, ({}).evil === undefined, tagName, await Promise.resolve(7)];`;

describe('a workbench whose debugged scripts attack it', () => {
  const folder = sharedFolder();
  let workbench: Workbench;
  let client: InstanceClient;
  beforeAll(async () => {
    await builtProduct();
    const log = createLog({ write: () => undefined });
    const directory = join(folder, 'plant');
    workbench = await openWorkbench({ directory, root: ROOT, createSample: true, oneShot: true, log });
    client = createRouterClient(createRouter(workbench.services, () => undefined));
    await client.settings.update({
      'limits.scriptMs': ENOUGH_MS,
      'limits.totalMs': 2 * ENOUGH_MS,
      'limits.memoryMb': 64,
      'limits.resultMb': 1,
      'api.mode': 'offline',
    });
  }, 600_000);
  afterAll(() => workbench.close());

  async function debugged(body: string, breakpoints: { line: number }[] = []) {
    const debug = await DebugClient.open(client);
    await debug.launch({ body, context: { tagName: 'A.B.C' } });
    await debug.ok('setExceptionBreakpoints', { filters: [] });
    await debug.breakpoints('body', breakpoints);
    await debug.ok('configurationDone');
    const report = await debug.report();
    await debug.ok('disconnect');
    return report;
  }

  test.each(sampled(Object.values(CORPUS).flat().filter(debuggable), 20))(
    'by scripts whose values are shown: $name',
    async (attack) => {
      const { body, ends } = attack;
      await client.settings.update({ 'limits.scriptMs': scriptMsOf(attack) / SLOWER });
      const context = { tagName: 'A.B.C', tagScopeDiagram: null, tagScopeLocation: null };
      const { report, values, stopped } = await client.debug.values({ body, context, dryRun: true });
      const { status, error } = report;
      expect({ status, error }).toSatisfy(
        () => (stopped || ends.includes(status)) && (status === 'ok') === (error === null),
        `to end with ${ends.join(' or ')}, and to say why`,
      );
      expect(values.every(({ first, last }) => first.length + last.length <= 2 * VALUES_LIMITS.text)).toBe(true);
      await client.settings.update({ 'limits.scriptMs': ENOUGH_MS });
      const after = await client.debug.values({ body: PROBE, context, dryRun: true });
      expect(after.report).toMatchObject({ status: 'ok', result: ['undefined', 0, true, 'A.B.C', 7] });
    },
  );

  for (const [sort, attacks] of Object.entries(CORPUS)) {
    test.each(sampled(attacks.filter(debuggable), 3))(`by scripts of the sort ${sort}: $name`, async (attack) => {
      const { body, ends, says } = attack;
      await client.settings.update({ 'limits.scriptMs': scriptMsOf(attack) / SLOWER });
      const first = await DebugClient.open(client);
      const launched = await first.send('launch', { body });
      await first.ok('disconnect');
      // A body that does not parse cannot be debugged.
      if (!launched.success) {
        expect(launched.message).toMatch(/does not parse/);
        return;
      }
      const { status, error } = await debugged(body);
      expect({ status, error }).toSatisfy(
        () => ends.includes(status) && (status === 'ok') === (error === null),
        `to end with ${ends.join(' or ')}, and to say why`,
      );
      if (says && status !== 'ok') expect(error?.message).toMatch(says);
      await client.settings.update({ 'limits.scriptMs': ENOUGH_MS });
      expect(await debugged(PROBE)).toMatchObject({ status: 'ok', result: ['undefined', 0, true, 'A.B.C', 7] });
    });
  }
});
