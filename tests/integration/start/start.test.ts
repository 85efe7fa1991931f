import { spawn } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { builtProduct, NODE, ROOT, startTagwright, tagwright } from '../../support/product/product.ts';
import { descendantsOf, isRunning, programsOf, scriptHostsOf } from '../../support/product/processes.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

beforeAll(builtProduct, 180_000);

const link = /Workbench {2}(http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43})\n/;

/** The output of a command without the port of the events API, which another program of this machine may have. */
const besidesPort = (err: string) => err.replaceAll(/^.* The events API is not available\. Port \d+ .*\n/gm, '');

async function startsInBrowser(workspace: string, env: NodeJS.ProcessEnv) {
  const command = startTagwright(['start', '--workspace', workspace], env);
  onTestFinished(async () => {
    command.kill('SIGTERM');
    await command.ended;
  });
  await vi.waitFor(() => expect(command.out).toMatch(link));
  return command;
}

test('serves the workbench without a display; a second start opens the same one', async () => {
  const workspace = temporaryFolder();
  const command = await startsInBrowser(workspace, {});
  expect(besidesPort(command.err)).toBe(
    'No desktop window: there is no display. Serving the workbench to the browser instead.\n',
  );
  const first = link.exec(command.out)?.[1] ?? '';
  const second = await tagwright(['start', '--workspace', workspace]);
  expect(second).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Tagwright is already running on .* \(pid \d+\)\.\n/),
  });
  const other = link.exec(second.out)?.[1] ?? '';
  expect(other).not.toBe(first);
  for (const url of [first, other]) expect((await fetch(url, { redirect: 'manual' })).status).toBe(303);
  command.kill('SIGTERM');
  expect((await command.ended).code).toBe(0);
});

test('skips a desktop runtime that cannot be downloaded, and serves the browser', async () => {
  const command = await startsInBrowser(temporaryFolder(), {
    DISPLAY: ':99',
    ELECTRON_MIRROR: 'http://127.0.0.1:9/',
    ELECTRON_OVERRIDE_DIST_PATH: temporaryFolder(),
    PATH: '/nowhere',
  });
  expect(command.err).toMatch(
    /^No desktop window: the desktop runtime is not installed yet, and 127\.0\.0\.1 cannot be reached/,
  );
});

test('ends all its processes when "npm start" ends', async () => {
  const workspace = temporaryFolder();
  const npm = spawn('npm', ['start', '--', '--workspace', workspace], {
    cwd: ROOT,
    env: { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '', TAGWRIGHT_NO_BUILD: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  npm.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  await vi.waitFor(() => expect(out).toMatch(link));
  npm.kill('SIGTERM');
  await vi.waitFor(async () => expect(await tagwright(['open', '-w', workspace])).not.toMatchObject({ code: 0 }), {
    interval: 500,
  });
});

/** An executable that replaces Electron's. */
function desktopRuntime(script: string): string {
  const dist = temporaryFolder();
  writeFileSync(join(dist, 'electron'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(dist, 'electron'), 0o755);
  return dist;
}

test('opens the window with a display and a desktop runtime, and ends with it', async () => {
  const register = join(ROOT, 'tests', 'support', 'electron-double', 'register.ts');
  const workspace = temporaryFolder();
  const command = startTagwright(['start', '--workspace', workspace], {
    DISPLAY: ':99',
    DOUBLE_APP_DATA: temporaryFolder(),
    ELECTRON_OVERRIDE_DIST_PATH: desktopRuntime(`exec "${NODE}" --import "${register}" "$@"`),
  });
  const run = () => tagwright(['run', '-', '--json', '-w', workspace], { stdin: 'return 1' });
  await vi.waitFor(async () =>
    expect(await tagwright(['open', '-w', workspace])).toMatchObject({
      err: expect.stringContaining('desktop window'),
    }),
  );
  expect((await run()).code).toBe(0);
  const again = await tagwright(['start', '-w', workspace]);
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining('without a workbench for browsers') });
  command.kill('SIGTERM');
  const { code, err } = await command.ended;
  expect([code, besidesPort(err)]).toEqual([0, '']);
});

test.runIf(process.platform === 'linux').each([
  ['the command between them', 'headless.js'],
  ['the launcher', null],
])('closes the window and leaves no process behind when %s is killed', async (_, killed) => {
  const register = join(ROOT, 'tests', 'support', 'electron-double', 'register.ts');
  const workspace = temporaryFolder();
  const command = startTagwright(['start', '--workspace', workspace], {
    DISPLAY: ':99',
    DOUBLE_APP_DATA: temporaryFolder(),
    ELECTRON_OVERRIDE_DIST_PATH: desktopRuntime(`exec "${NODE}" --import "${register}" "$@"`),
  });
  const { pid } = command;
  const opened = { err: expect.stringContaining('desktop window') };
  await vi.waitFor(async () => expect(await tagwright(['open', '-w', workspace])).toMatchObject(opened));
  await vi.waitFor(() => expect(scriptHostsOf(pid).length).toBeGreaterThan(0));
  const all = [pid, ...descendantsOf(pid)];
  // A process that it starts has its command line for a moment.
  await expect.poll(() => programsOf(pid, 'desktop.js').length).toBe(1);
  const [middle = 0] = programsOf(pid, 'headless.js');
  process.kill(killed === null ? pid : middle, 'SIGKILL');
  await vi.waitFor(() => expect(all.filter(isRunning)).toEqual([]));
  expect(existsSync(join(workspace, 'instance.json'))).toBe(false);
  await command.ended;
});

test('reports a desktop runtime that ends at once in one line, and serves the browser', async () => {
  const command = await startsInBrowser(temporaryFolder(), {
    DISPLAY: ':99',
    PATH: '/nowhere',
    ELECTRON_OVERRIDE_DIST_PATH: desktopRuntime('exit 1'),
  });
  expect(command.err).toContain('No desktop window: the desktop runtime ended at once (exit code 1).');
});
