import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach } from 'vitest';
import { join } from 'node:path';
import type { HostServer } from '../../../src-main/host/host-server.ts';
import { startHostServer } from '../../../src-main/host/host-server.ts';
import { RPC_PROTOCOL } from '#contract/browser-session';
import { rendererFiles } from '../../../src-main/host/renderer-files.ts';
import { createRouter } from '../../../src-main/rpc/router.ts';
import type { FakeServices } from '../../contract/fake-services.ts';
import { fakeServices } from '../../contract/fake-services.ts';
import { send, cookieSetBy } from './browser.ts';
import { sharedFolder } from '../../support/temp-folder.ts';

/** A server of the host that each test starts afresh, with a small page. Call it outside of tests. */
export function hostServer() {
  const folder = sharedFolder();
  mkdirSync(join(folder, 'out', 'assets'), { recursive: true });
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'out', 'index.html'), '<!doctype html><title>Workbench</title>');
  writeFileSync(join(folder, 'out', 'assets', 'main-abc123.js'), 'export {}');

  let services: FakeServices;
  let server: HostServer;
  const faults: unknown[] = [];

  beforeEach(async () => {
    services = fakeServices();
    faults.length = 0;
    const log = (_where: string, fault: unknown) => void faults.push(fault);
    server = await startHostServer({ router: createRouter(services, log), files: await files(), port: 0, log });
  });
  afterEach(() => server.close());

  const files = () => rendererFiles(join(folder, 'out'));
  /** The headers with which our page opens the RPC. */
  const newSession = async () => {
    const response = await send(server.oneTimeUrl() ?? '');
    const key = response.headers.location?.split('#key=')[1] ?? '';
    return { Cookie: cookieSetBy(response), Origin: server.url, 'Sec-WebSocket-Protocol': `${RPC_PROTOCOL}, ${key}` };
  };
  return {
    folder,
    faults,
    files,
    newSession,
    /** The cookie of a browser that is let in. */
    letIn: async () => (await newSession()).Cookie,
    rpc: () => `${server.url}/rpc`,
    get services() {
      return services;
    },
    get server() {
      return server;
    },
    get port() {
      return new URL(server.url).port;
    },
  };
}
