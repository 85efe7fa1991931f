import { createServer, Server } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { CheckInput } from '../../../../src-main/workspace/diagnostics/check.ts';
import { PORT_CHECKS } from '../../../../src-main/workspace/diagnostics/port-checks.ts';
import { freePortNear, whyNotFree } from '../../../../src-main/platform/http/free-port.ts';

afterEach(() => void vi.restoreAllMocks());

async function listening(address = '127.0.0.1'): Promise<{ port: number; server: Server }> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, address, resolve);
  });
  onTestFinished(() => void server.close());
  const bound = server.address();
  return { server, port: typeof bound === 'object' && bound ? bound.port : 0 };
}

async function freed(): Promise<number> {
  const { server, port } = await listening();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('a port is free if nothing responds, and taken if a program listens', async () => {
  const { port } = await listening();
  expect(await whyNotFree(port)).toBe('listened');
  expect(await whyNotFree((await listening('0.0.0.0')).port)).toBe('listened');
  // Another program of this machine may take the port in the meantime.
  await vi.waitFor(async () => expect(await whyNotFree(await freed())).toBeNull());
  expect(await whyNotFree(0)).toBeNull();
});

test('a port near a taken one is free', async () => {
  const { port } = await listening();
  await vi.waitFor(async () => {
    const free = await freePortNear(port);
    expect(free).toBeGreaterThan(0);
    expect(await whyNotFree(free)).toBeNull();
  });
});

test('checking ports never listens on one, because a starting instance may need it', async () => {
  const [free, { port }] = [await freed(), await listening()];
  const listen = vi.spyOn(Server.prototype, 'listen');
  await whyNotFree(free);
  await whyNotFree(port);
  const input: CheckInput = {
    workspace: '/nowhere',
    root: '/nowhere',
    version: '1.0.0',
    full: false,
    signal: new AbortController().signal,
    now: 0,
    instance: null,
    lock: { held: false, details: null, alive: false, foreign: false },
    silent: false,
    node: null,
    facts: null,
  };
  for (const check of PORT_CHECKS) await check.run(input, () => undefined);
  expect(listen).not.toHaveBeenCalled();
});
