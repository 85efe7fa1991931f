import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ROOT } from '../../support/product.ts';
import { startApi } from './start-api.ts';

const EXAMPLE = join(ROOT, 'resources', 'examples', 'poll-events.mjs');
const run = promisify(execFile);

test('the example deals with every active event once, and disables it', async () => {
  const { source, url, service } = await startApi({
    events: 1_200,
    settings: { 'events.apiKey': 'a key of ours'.replaceAll(' ', '-') },
  });
  await source.setActive(7, false);
  const args = [EXAMPLE, '--once', '--url', url(), '--key', 'a-key-of-ours'];
  const { stdout } = await run(process.execPath, args);
  const lines = stdout.trim().split('\n');
  expect(lines).toHaveLength(1_199);
  expect(new Set(lines).size).toBe(1_199);
  expect(lines[0]).toBe('2026-01-01T01:00:01.000+01:00 rule 2: row 10 of rule_1 "},{" ü');
  expect([...source.events.values()].filter((event) => event.Active)).toEqual([]);
  const puts = service.requests({}).filter(({ method }) => method === 'PUT');
  expect(puts.every(({ status }) => status === 200)).toBe(true);
  expect((await run(process.execPath, args)).stdout).toBe('');
});

test('it goes on polling, waits for an API that is down, and rests while nothing changes', async () => {
  const { source, url, service, settings } = await startApi({ events: 1 });
  const base = url();
  const child = spawn(process.execPath, [EXAMPLE, '--every', '20', '--url', base], { stdio: 'pipe' });
  onTestFinished(() => void child.kill());
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => void (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => void (err += chunk.toString()));
  await vi.waitFor(
    () => expect(service.requests({}).filter(({ status }) => status === 304).length).toBeGreaterThan(3),
    5_000,
  );
  expect(out.split('\n')).toHaveLength(2);
  settings.update({ 'events.enabled': false });
  await vi.waitFor(() => expect(err).toMatch(/fetch failed|ECONNREFUSED/), 5_000);
  settings.update({ 'events.enabled': true, 'events.port': Number(new URL(base).port) });
  await source.setActive(1, true);
  await vi.waitFor(() => expect(out.split('\n')).toHaveLength(3), 5_000);
});

test('without the key it says what to send', async () => {
  const { url } = await startApi({ settings: { 'events.apiKey': 'a-key-of-ours' } });
  await expect(run(process.execPath, [EXAMPLE, '--once', '--url', url()])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('401: Send the API key'),
  });
});
