import { describe, expect, test, vi } from 'vitest';
import { connectInstance } from '../../../src-main/host/instance-client.ts';
import { startHostServer } from '../../../src-main/host/host-server.ts';
import type { Holder, SessionParts } from '../../../src-main/host/workspace-session.ts';
import { openSession } from '../../../src-main/host/workspace-session.ts';
import { TagwrightError } from '../../../src-main/platform/errors.ts';
import { createRouter } from '../../../src-main/rpc/router.ts';
import { fakeServices } from '../../contract/fake-services.ts';

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const locked = () => new TagwrightError('WORKSPACE_LOCKED', 'held');

function parts(given: Partial<SessionParts>): SessionParts {
  return {
    log,
    holder: async () => null,
    connect: connectInstance,
    open: async () => ({ services: fakeServices(), close: async () => {} }),
    ...given,
  };
}

describe('openSession', () => {
  test('opens the workspace itself if nothing else has it open, and closes it again', async () => {
    const close = vi.fn<() => Promise<void>>(async () => {});
    const session = await openSession(parts({ open: async () => ({ services: fakeServices(), close }) }));
    expect(await session.client.app.info()).toMatchObject({ workspace: '/w' });
    await session.close();
    expect(close).toHaveBeenCalledOnce();
  });

  test('connects to the instance that holds it', async () => {
    const services = fakeServices();
    const server = await startHostServer({
      router: createRouter(services, () => {}),
      files: null,
      port: 0,
      log: () => {},
    });
    const holder = { pid: 1, url: server.url, token: server.token };
    const session = await openSession(parts({ holder: async () => holder, open: () => Promise.reject(locked()) }));
    await session.client.tags.set({ items: [{ tag: 'Plant.Tag0.Value', value: 4 }] });
    expect(services.values.get('Plant.Tag0.Value')).toMatchObject({ value: 4 });
    await session.close();
    await server.close();
  });

  test('waits for another command to end, even one that opened it first', async () => {
    const holders: (Holder | null)[] = [
      { pid: 9, url: null, token: null },
      { pid: 9, url: null, token: null },
    ];
    const open = vi.fn<SessionParts['open']>();
    open.mockRejectedValueOnce(locked());
    open.mockResolvedValue({ services: fakeServices(), close: async () => {} });
    const session = await openSession(parts({ holder: async () => holders.shift() ?? null, open }));
    expect(open).toHaveBeenCalledTimes(2);
    await session.close();
  });

  test('stops waiting for a command that holds it for long, and names it', async () => {
    vi.useFakeTimers();
    const session = openSession(parts({ holder: async () => ({ pid: 77, url: null, token: null }) }));
    const failure = session.catch((thrown: unknown) => thrown);
    await vi.advanceTimersByTimeAsync(11_000);
    expect(await failure).toMatchObject({ code: 'WORKSPACE_LOCKED', data: { pid: 77 } });
    vi.useRealTimers();
  });

  test('passes on the error of a workspace that cannot be opened', async () => {
    const damaged = new TagwrightError('WORKSPACE_DAMAGED', 'broken');
    await expect(openSession(parts({ open: () => Promise.reject(damaged) }))).rejects.toBe(damaged);
  });

  test('waits for an instance that is ending, and then opens the workspace', async () => {
    const holders: (Holder | null)[] = [{ pid: 9, url: 'http://127.0.0.1:1', token: 'x' }];
    const session = await openSession(parts({ holder: async () => holders.shift() ?? null }));
    expect(await session.client.app.info()).toMatchObject({ workspace: '/w' });
    await session.close();
  });

  test('an instance that does not respond is UNAVAILABLE', async () => {
    const holder = { pid: 1, url: 'http://127.0.0.1:1', token: 'x' };
    await expect(openSession(parts({ holder: async () => holder }))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});
