import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import type { Settings } from '#domain/workspace/settings';
import type { Release } from '../../../../src-main/workspace/updates/update-check.ts';
import { followUpdates, isNewer } from '../../../../src-main/workspace/updates/update-check.ts';

/** A feed that sends a given response, and settings that can be changed. */
async function setUp(reply: { status?: number; text: string }, version = '1.2.3') {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.writeHead(reply.status ?? 200).end(reply.text);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let settings: Settings = { ...DEFAULT_SETTINGS, 'updates.feed': `http://127.0.0.1:${port}/feed.json` };
  const listeners = new Set<(now: Settings) => void>();
  const warnings: string[] = [];
  const notified: Release[] = [];
  const log = { warn: (message: string) => void warnings.push(message), debug() {}, info() {}, error() {} };
  const end = followUpdates({
    settings: {
      get: () => settings,
      onChange: (listener) => (listeners.add(listener), () => listeners.delete(listener)),
    },
    version,
    log,
    onNewer: (release) => void notified.push(release),
    everyMs: 20,
  });
  onTestFinished(() => {
    end();
    server.closeAllConnections();
    server.close();
  });
  const change = (patch: Partial<Settings>) => {
    settings = { ...settings, ...patch };
    for (const listener of listeners) listener(settings);
  };
  return { change, notified, warnings, requests: () => requests };
}

test('no request is sent before it is enabled, or after it is disabled', async () => {
  const { change, notified, requests } = await setUp({ text: '{"version":"1.10.0","url":"https://example.com/get"}' });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(requests()).toBe(0);
  change({ 'updates.check': true });
  await vi.waitFor(() => expect(requests()).toBeGreaterThan(2));
  expect(notified).toEqual([{ version: '1.10.0', url: 'https://example.com/get' }]);
  change({ 'updates.check': false });
  // A request may have been in progress.
  await vi.waitFor(async () => {
    const then = requests();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(requests()).toBe(then);
  });
});

test('an older or the same version is not reported', async () => {
  const { change, notified, requests } = await setUp({ text: '{"version":"1.2.3"}' });
  change({ 'updates.check': true });
  await vi.waitFor(() => expect(requests()).toBeGreaterThan(1));
  expect(notified).toEqual([]);
});

test.each([
  ['a text that is not JSON', { text: '<html>' }],
  ['another address', { text: '{"version":"9.0.0","url":"file:///etc/passwd"}' }],
  ['a failure', { status: 500, text: '{"version":"9.0.0"}' }],
  ['far too much', { text: `{"version":"9.0.0","more":"${'x'.repeat(100_000)}"}` }],
])('a feed with %s is logged, and causes no notification', async (_name, reply) => {
  const { change, notified, warnings } = await setUp(reply);
  change({ 'updates.check': true });
  await vi.waitFor(() => expect(warnings).toContain('the check for updates failed'));
  expect(notified).toEqual([]);
});

test('versions are compared as numbers', () => {
  expect(isNewer('0.10.0', '0.9.9')).toBe(true);
  expect(isNewer('1.0.0', '1.0.0')).toBe(false);
  expect(isNewer('0.9.9', '0.10.0')).toBe(false);
});
