import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { RPC_PROTOCOL } from '../../../src-preload/contract/browser-session.ts';
import { descendantsOf, isRunning } from '../../support/product/processes.ts';
import { builtProduct, NODE, ROOT } from '../../support/product/product.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

beforeAll(builtProduct, 180_000);

/** `npm run dev` on free ports, with a separate workspace and events API. */
async function startDev() {
  const args = ['resources/bin/dev.mjs', '--workspace', join(temporaryFolder(), 'workspace'), '--port', '0'];
  const child = spawn(NODE, args, {
    cwd: ROOT,
    env: { ...process.env, TAGWRIGHT_NO_BUILD: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  for await (const line of createInterface(child.stdout)) {
    const link = /^Workbench +(\S+)$/.exec(line)?.[1];
    if (link !== undefined)
      return { pid: child.pid ?? 0, link: new URL(link), stop: () => child.kill('SIGTERM'), ended };
  }
  throw new Error('it ended without a link');
}

/** The status line of the response to an upgrade. */
async function upgrade({ hostname, port, host }: URL, path: string, headers: Record<string, string>): Promise<string> {
  const socket = createConnection(Number(port), hostname);
  try {
    const all = {
      Host: host,
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': Buffer.alloc(16, 1).toString('base64'),
      ...headers,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
    const answered = once(socket, 'data').then(([bytes]: Buffer[]) => bytes?.toString('latin1').split('\r\n')[0] ?? '');
    return await Promise.race([answered, once(socket, 'close').then(() => 'closed')]);
  } finally {
    socket.destroy();
  }
}

test.runIf(process.platform === 'linux')(
  'the workbench of npm run dev needs a session, and all its processes end',
  async () => {
    const { pid, link, stop, ended } = await startDev();
    expect(link.hostname).toBe('127.0.0.1');
    const entered = await fetch(link, { redirect: 'manual' });
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
    const key =
      new URLSearchParams(new URL(entered.headers.get('location') ?? '', link).hash.slice(1)).get('key') ?? '';
    expect(entered.status).toBe(303);
    expect(key).not.toBe('');
    const statusOf = async (path: string, headers: Record<string, string>) =>
      (await fetch(new URL(path, link), { headers, redirect: 'manual' })).status;

    // Pages and modules of Vite.
    const page = await (await fetch(link.origin, { headers: { cookie } })).text();
    expect(page).toContain('/@vite/client');
    const module = await fetch(new URL('/main.tsx', link), { headers: { cookie } });
    expect(module.headers.get('content-type')).toContain('javascript');
    expect(module.headers.get('access-control-allow-origin')).toBeNull();
    expect(await module.text()).toContain('import ');
    for (const path of ['/', '/main.tsx', '/@vite/client', '/session'])
      expect([path, await statusOf(path, {})]).toEqual([path, 401]);
    const foreign: Record<string, string>[] = [
      { cookie, origin: 'http://127.0.0.1:9' },
      { cookie, origin: 'http://localhost:9' },
      { cookie, 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of foreign) expect(await statusOf('/main.tsx', headers)).toBe(401);

    // Vite's socket, also for programs.
    const [protocol, origin] = [{ 'Sec-WebSocket-Protocol': 'vite-hmr' }, { Origin: link.origin }];
    const refused = expect.stringContaining(' 401 ');
    expect(await upgrade(link, '/', protocol)).toEqual(refused);
    expect(await upgrade(link, '/', { 'Sec-WebSocket-Protocol': 'vite-ping' })).toEqual(refused);
    expect(await upgrade(link, '/', { ...protocol, Cookie: cookie, Origin: 'http://127.0.0.1:9' })).toEqual(refused);
    const client = await (await fetch(new URL('/@vite/client', link), { headers: { cookie } })).text();
    const vite = /wsToken = "([^"]+)"/.exec(client)?.[1] ?? '';
    expect(await upgrade(link, `/?token=${vite}`, { ...protocol, ...origin, Cookie: cookie })).toContain(' 101 ');
    expect(await upgrade(link, '/?token=guessed', { ...protocol, ...origin, Cookie: cookie })).not.toContain(' 101 ');

    // The RPC also needs the key, because any server on this machine sees the cookie.
    const rpc = (offered: string) =>
      upgrade(link, '/rpc', { ...origin, Cookie: cookie, 'Sec-WebSocket-Protocol': offered });
    for (const deadline = Date.now() + 60_000; !(await rpc(`${RPC_PROTOCOL}, ${key}`)).includes(' 101 ');) {
      if (Date.now() > deadline) throw new Error('main does not respond');
      await delay(100);
    }
    expect(await rpc(RPC_PROTOCOL)).not.toContain(' 101 ');
    expect(await rpc(`${RPC_PROTOCOL}, guessed`)).not.toContain(' 101 ');
    expect(await statusOf('/session', { cookie })).toBe(401);
    expect(await statusOf('/session', { cookie, authorization: `Bearer ${key}` })).toBe(204);

    const started = descendantsOf(pid);
    expect(started.length).toBeGreaterThan(1);
    stop();
    expect(await ended).toEqual([0, null]);
    await expect.poll(() => started.filter(isRunning)).toEqual([]);
  },
);
