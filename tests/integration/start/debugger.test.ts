import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { builtProduct, startTagwright } from '../../support/product/product.ts';

beforeAll(() => builtProduct(), 180_000);

test.runIf(process.platform === 'linux')('SIGUSR1 opens no debugger, neither in main nor in its launcher', async () => {
  const workspace = mkdtempSync(join(tmpdir(), 'tagwright-debugger-'));
  const instance = startTagwright(['serve', '--workspace', workspace, '--port', '0', '--ui-port', '0', '--json']);
  try {
    const { eventsApi, pid }: { eventsApi: string; pid: number } = JSON.parse(await instance.firstLine());
    expect(pid).not.toBe(instance.pid);
    for (const one of [pid, instance.pid]) process.kill(one, 'SIGUSR1');
    await wait(1_000);
    expect(instance.err).not.toContain('Debugger');
    expect((await fetch(`${eventsApi}/api/health`)).status).toBe(200);
  } finally {
    instance.kill('SIGTERM');
    await instance.ended;
    rmSync(workspace, { recursive: true, force: true });
  }
});
