import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { request } from 'node:http';
import { localTimeText } from '#domain/text/local-time';
import { exposedFiles } from '../../../src-main/platform/files/private-files.ts';
import { isRunning, scriptHostsOf } from '../../support/product/processes.ts';
import { clientOf, serve } from '../../support/product/served-instance.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

interface Entry {
  time: string;
  level: string;
  event: string;
  message: string;
  fields: Record<string, unknown>;
}

const SOON = { timeout: 60_000, interval: 50 };
const ZONE = localTimeText(0).slice(-6);

function logOf(workspace: string): string {
  return readFileSync(join(workspace, 'logs', 'tagwright.log'), 'utf8');
}

/** The entries written as JSON. */
function entriesOf(workspace: string): Entry[] {
  const lines = logOf(workspace).split('\n');
  return lines.filter((line) => line.startsWith('{')).map((line): Entry => JSON.parse(line));
}

function statusOf(port: number, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: '/api/events?limit=1', headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end();
  });
}

test('the log shows an operator what happened, and the effect of an unclean stop', async () => {
  const workspace = temporaryFolder();
  const first = await serve(workspace);
  const client = await clientOf(workspace);
  await client.settings.update({ 'log.format': 'json', 'events.apiKey': 'key-of-0perator' });
  expect(await statusOf(first.port, { Host: 'evil.example' })).toBe(421);
  for (let n = 0; n < 20; n += 1) expect(await statusOf(first.port, { 'X-API-Key': `wrong-key-${n}` })).toBe(401);
  expect(await statusOf(first.port, { 'X-API-Key': 'key-of-0perator' })).toBe(200);
  await client.backups.create();
  await client.settings.update({ 'limits.scriptMs': 100 });
  const context = { tagName: 'Bottling.Line1.Shift.Target.Value', tagScopeDiagram: null, tagScopeLocation: null };
  expect(await client.runs.execute({ body: 'for (;;);', context, dryRun: true })).toMatchObject({
    status: 'timeout',
  });
  await vi.waitFor(() => expect(entriesOf(workspace).map(({ event }) => event)).toContain('host.ended'), SOON);
  // A log that started before it was JSON.
  expect(logOf(workspace)).toMatch(/^\S+ info {2}\[instance\.started\] Tagwright has started\. \{"version":/m);
  const entries = entriesOf(workspace);
  for (const { time, level, message } of entries) {
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/);
    expect(time.endsWith(ZONE)).toBe(true);
    expect([level, message]).toEqual([expect.stringMatching(/^(info|warn|error)$/), expect.any(String)]);
  }
  const refused = entries.filter(({ event }) => event === 'access.refused');
  // The number of entries depends on the duration, and other programs of this machine may send requests too.
  const ours = (reason: string) =>
    refused.filter(({ fields }) => fields['port'] === first.port && fields['reason'] === reason);
  expect(ours('host').map(({ fields }) => fields['sent'])).toContain('evil.example');
  expect(ours('token').length).toBeGreaterThan(0);
  // A busy machine may also have caused an entry.
  const backups = entries.filter(({ event }) => event === 'backup.made').map(({ fields }) => fields['file']);
  expect(backups).toContainEqual(expect.stringContaining('-manual.db'));
  expect(entries.find(({ event }) => event === 'host.ended')?.fields).toMatchObject({ why: 'timeout' });
  expect(logOf(workspace)).not.toMatch(/key-of-0perator|wrong-key/);
  // The request log is written once a second.
  const requests = join(workspace, 'logs', 'requests.jsonl');
  await vi.waitFor(() => expect(readFileSync(requests, 'utf8').split('\n').length).toBeGreaterThan(22), SOON);

  process.kill(first.pid, 'SIGKILL');
  await first.command.ended;
  const second = await serve(workspace);
  const after = entriesOf(workspace);
  expect(after.find(({ event }) => event === 'recovery.done')?.fields).toMatchObject({
    before: { pid: first.pid },
    writeSets: { finished: 0, takenBack: 0, dropped: 0 },
  });
  const again = await clientOf(workspace);
  const kept = (await again.eventsApi.requests({})).filter(({ path }) => path === '/api/events?limit=1');
  expect(kept.map(({ status }) => status)).toEqual([421, ...Array(20).fill(401), 200]);
  expect(exposedFiles(workspace)).toEqual([]);
  second.command.kill('SIGTERM');
  await second.command.ended;
  expect(entriesOf(workspace).at(-1)).toMatchObject({ event: 'instance.stopped', fields: { pid: second.pid } });
  const third = await serve(workspace);
  expect(entriesOf(workspace).filter(({ event }) => event === 'recovery.done')).toHaveLength(1);
  expect(third.pid).not.toBe(second.pid);
  expect(readdirSync(join(workspace, 'logs')).every((name) => statSync(join(workspace, 'logs', name)).isFile())).toBe(
    true,
  );
});

test.skipIf(process.platform !== 'linux')('a launcher that is killed leaves no process behind', async () => {
  const workspace = temporaryFolder();
  const { command, pid } = await serve(workspace, {}, { launcher: true });
  await vi.waitFor(() => expect(scriptHostsOf(pid).length).toBeGreaterThan(0), SOON);
  const hosts = scriptHostsOf(pid);
  expect(command.pid).not.toBe(pid);
  command.kill('SIGKILL');
  await vi.waitFor(() => expect([pid, ...hosts].filter(isRunning)).toEqual([]), SOON);
  // It stopped gracefully: everything is in the file, and the workspace is unlocked.
  expect(existsSync(join(workspace, 'instance.json'))).toBe(false);
  expect(existsSync(join(workspace, 'workspace.db-wal'))).toBe(false);
  expect(logOf(workspace)).toMatch(/\[instance\.stopped\]/);
});
