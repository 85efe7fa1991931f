import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { commandLine } from '../../support/product/command-line.ts';
import type { Started } from '../../support/product/product.ts';
import { builtProduct, startTagwright, tagwright } from '../../support/product/product.ts';
import { descendantsOf, isRunning, untilOneLoops } from '../../support/product/processes.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

beforeAll(builtProduct, 180_000);

const firstLine = z.strictObject({
  eventsApi: z.string().nullable(),
  ui: z.string().nullable(),
  workspace: z.string(),
  pid: z.int(),
});

async function serve(workspace: string, ...more: string[]) {
  const command = startTagwright([
    'serve',
    '--json',
    '--workspace',
    workspace,
    '--ui-port',
    '0',
    '--port',
    '0',
    ...more,
  ]);
  onTestFinished(() => stop(command));
  return { command, ...firstLine.parse(JSON.parse(await command.firstLine())) };
}

async function stop(command: Started): Promise<void> {
  command.kill('SIGTERM');
  await command.ended;
}

describe('tagwright serve', () => {
  test('prints its addresses, and commands connect to it', async () => {
    const workspace = temporaryFolder();
    const { command, ui, pid, workspace: said } = await serve(workspace);
    expect(said).toBe(workspace);
    expect(ui).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/);
    const save = await commandLine(['scripts', 'save', 'Group/One', '-', '-w', workspace], { stdin: 'return 11' });
    expect(save).toMatchObject({ code: 0, out: 'Saved Group/One, version 1\n' });
    const run = await commandLine(['run', '--script', 'group/one', '--json', '-w', workspace]);
    expect(JSON.parse(run.out)).toMatchObject({ status: 'ok', result: 11 });
    const instance = z.object({ pid: z.int(), url: z.string(), token: z.string() });
    expect(instance.parse(JSON.parse(readFileSync(join(workspace, 'instance.json'), 'utf8'))).pid).toBe(pid);
    expect(command.out.split('\n')).toHaveLength(2);
  });

  test('its link opens the workbench once; `tagwright open` prints another', async () => {
    const workspace = temporaryFolder();
    const { ui } = await serve(workspace);
    const exchange = await fetch(ui ?? '', { redirect: 'manual' });
    expect(exchange.status).toBe(303);
    const cookie = exchange.headers.get('set-cookie')?.split(';')[0] ?? '';
    const page = await fetch(new URL('/', ui ?? ''), { headers: { Cookie: cookie } });
    expect(await page.text()).toContain('<div id="root">');
    expect((await fetch(ui ?? '', { redirect: 'manual' })).status).toBe(403);
    const open = await commandLine(['open', '--print', '-w', workspace]);
    expect((await fetch(open.out.trim(), { redirect: 'manual' })).status).toBe(303);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s stops it: a run is cancelled, hosts end, the lock is released',
    async (signal) => {
      const workspace = temporaryFolder();
      const { command, pid } = await serve(workspace);
      await commandLine(['settings', 'set', 'limits.scriptMs=600000', 'limits.totalMs=600000', '-w', workspace]);
      const run = tagwright(['run', '-', '--json', '-w', workspace], { stdin: 'for (;;);' });
      await untilOneLoops(pid);
      const hosts = descendantsOf(pid);
      expect(hosts.length).toBeGreaterThan(0);
      command.kill(signal);
      const ended = await command.ended;
      expect(ended).toMatchObject({ code: 0, err: 'Stopping…\n' });
      expect((await run).code).toBe(9);
      // A host ends when its pipe does, possibly a moment after main.
      await expect.poll(() => hosts.filter(isRunning)).toEqual([]);
      expect(existsSync(join(workspace, 'instance.json'))).toBe(false);
      expect((await commandLine(['tags', 'list', '-w', workspace])).code).toBe(0);
    },
  );

  test('a second one on the same workspace is rejected, and names the first', async () => {
    const workspace = temporaryFolder();
    const { pid } = await serve(workspace);
    const { code, out, err } = await tagwright(['serve', '--json', '-w', workspace]);
    expect({ code, out }).toEqual({ code: 3, out: '' });
    expect(err).toContain(String(pid));
  });

  test('leaves a workspace that opens when it is killed', async () => {
    const workspace = temporaryFolder();
    const { command, pid } = await serve(workspace);
    process.kill(pid, 'SIGKILL');
    expect((await command.ended).code).toBe(137);
    expect((await commandLine(['tags', 'list', '-w', workspace])).code).toBe(0);
  });

  test('exits with 8 if its port is taken, and unlocks the workspace', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const workspace = temporaryFolder();
    const { code, out, err } = await tagwright(['serve', '--json', '--ui-port', String(port), '-w', workspace]);
    expect({ code, out }).toEqual({ code: 8, out: '' });
    expect(err).toContain(`Port ${port} cannot be used`);
    expect((await commandLine(['tags', 'list', '-w', workspace])).code).toBe(0);
  });

  test('serves the events API on its port until it ends; exits with 8 if it is taken', async () => {
    const workspace = temporaryFolder();
    const { eventsApi, command } = await serve(workspace);
    expect(eventsApi).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const health = await fetch(`${eventsApi}/api/health`);
    expect(await health.json()).toMatchObject({ status: 'ok' });
    const port = new URL(eventsApi ?? '').port;
    const other = temporaryFolder();
    const { code, out, err } = await tagwright(['serve', '--json', '--ui-port', '0', '--port', port, '-w', other]);
    expect({ code, out }).toEqual({ code: 8, out: '' });
    expect(err).toContain(`Port ${port} cannot be used`);
    await stop(command);
    await expect(fetch(`${eventsApi}/api/health`)).rejects.toThrow('fetch failed');
  });

  test('with that port taken later, serves, reports it, and can change the port', async () => {
    const [first, workspace] = [temporaryFolder(), temporaryFolder()];
    const { eventsApi: taken } = await serve(first);
    const port = new URL(taken ?? '').port;
    await commandLine(['settings', 'set', `events.port=${port}`, '-w', workspace]);
    const command = startTagwright(['serve', '--json', '--ui-port', '0', '-w', workspace]);
    onTestFinished(() => stop(command));
    expect(firstLine.parse(JSON.parse(await command.firstLine())).eventsApi).toBeNull();
    const free = /settings set events\.port=(\d+)/.exec(command.err)?.[1];
    expect(await commandLine(['settings', 'set', `events.port=${free}`, '-w', workspace])).toMatchObject({ err: '' });
    expect((await fetch(`http://127.0.0.1:${free}/api/health`)).status).toBe(200);
    const back = await commandLine(['settings', 'set', `events.port=${port}`, '--json', '-w', workspace]);
    expect(JSON.parse(back.out)).toMatchObject({ 'events.port': Number(port) });
    expect(back.err).toMatch(new RegExp(`^The events API is not available\\. Port ${port} cannot be used`));
  });

  test('with --no-ui, serves only programs', async () => {
    const workspace = temporaryFolder();
    const { ui } = await serve(workspace, '--no-ui');
    expect(ui).toBeNull();
    expect((await commandLine(['run', '-', '--json', '-w', workspace], { stdin: 'return 1' })).code).toBe(0);
    expect((await commandLine(['open', '--print', '-w', workspace])).code).toBe(9);
  });
});
