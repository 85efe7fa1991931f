import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { onTestFinished } from 'vitest';
import type { InstanceClient } from '../../../../src-main/host/instance-client.ts';
import { createLog } from '../../../../src-main/platform/log.ts';
import { createRouter } from '../../../../src-main/rpc/router.ts';
import { openWorkbench } from '../../../../src-main/workbench.ts';
import { ROOT } from '../../../support/product/product.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

export const LEVEL = 'Plant.Tank.Level.Value';
export const HALF = 'Plant.Tank.Half.Value';
export const HALF_BODY = `const level = TagValueManager.Get(['${LEVEL}']).Value[0].Value;
const half = level / 2;
return half;`;

/** A workspace in this process, with a stored tag and a script tag that halves it. */
export async function plant({ oneShot = true, createSample = false } = {}) {
  const log = createLog({ write: () => undefined });
  const directory = join(temporaryFolder(), 'plant');
  const workbench = await openWorkbench({ directory, root: ROOT, createSample, oneShot, eventsPort: 0, log });
  onTestFinished(() => workbench.close());
  const client: InstanceClient = createRouterClient(createRouter(workbench.services, () => undefined));
  const tag = { description: '', unit: '', type: 'Double' as const };
  await client.tags.save({ ...tag, path: LEVEL, kind: 'storage', settings: { initial: 12 } });
  const script = await client.scripts.save({ group: 'Tank', name: 'Half', description: '', body: HALF_BODY });
  await client.tags.save({
    ...tag,
    path: HALF,
    kind: 'script',
    settings: { readScript: 'Tank/Half', writeScript: 'Tank/Half' },
  });
  return { client, script, workbench, directory };
}
