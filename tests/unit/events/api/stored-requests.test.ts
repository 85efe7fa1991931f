import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ApiRequest } from '#domain/mock/api-request';
import { RequestLog } from '../../../../src-main/events/api/requests/request-log.ts';
import { StoredRequests } from '../../../../src-main/events/api/requests/stored-requests.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';
import { startApi } from './start-api.ts';

const request = (path: string): Omit<ApiRequest, 'seq'> => ({
  at: '2026-08-01T10:15:00.000Z',
  method: 'GET',
  path,
  status: 200,
  ms: 1.5,
  bytes: 700,
  client: '127.0.0.1:50000',
  userAgent: 'mes/1.0',
  outcome: 'answered',
});

async function openLog(file: string) {
  const stored = new StoredRequests(file);
  const log = new RequestLog(stored);
  await log.restore();
  return { stored, log };
}

test('requests survive a restart, and their numbers continue', async () => {
  const requestsFile = join(temporaryFolder(), 'logs', 'requests.jsonl');
  const first = await startApi({ requestsFile });
  await first.call('/api/events?limit=2');
  // A request is logged after its response was sent, which the client may receive before.
  await expect.poll(() => first.service.requests({})).toHaveLength(1);
  await first.call('/api/events/1');
  await first.service.close();
  const second = await startApi({ requestsFile });
  await second.call('/api/events/2');
  const paths = () => second.service.requests({}).map(({ seq, path }) => [seq, path]);
  await expect.poll(paths).toEqual([
    [1, '/api/events?limit=2'],
    [2, '/api/events/1'],
    [3, '/api/events/2'],
  ]);
});

test('the newest 1,000 are loaded; files stay limited, private, without secrets', async () => {
  const folder = join(temporaryFolder(), 'logs');
  const file = join(folder, 'requests.jsonl');
  for (let round = 0; round < 12; round += 1) {
    const { stored, log } = await openLog(file);
    for (let n = 0; n < 500; n += 1) log.add(request(`/${'x'.repeat(290)}?token=s3cret`), null);
    await stored.flush();
    // What exceeds the limit becomes the previous file.
    const next = await openLog(file);
    next.log.add(request('/last'), null);
    await next.stored.flush();
  }
  const { log } = await openLog(file);
  expect(log.list()).toHaveLength(1_000);
  expect(log.list().at(-1)).toMatchObject({ seq: 12 * 501, path: '/last' });
  expect(readdirSync(folder).toSorted()).toEqual(['requests.jsonl', 'requests.jsonl.1']);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    expect(statSync(path).size).toBeLessThan(1_500_000);
    expect(readFileSync(path, 'utf8')).not.toContain('s3cret');
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o077).toBe(0);
  }
});

test('a file that is damaged or cannot be written fails no request', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'requests.jsonl');
  writeFileSync(file, `{"seq":1}\nnot JSON\n${JSON.stringify({ seq: 7, ...request('/kept') })}\n{"cut`);
  const { log, stored } = await openLog(file);
  expect(log.list()).toMatchObject([{ seq: 7, path: '/kept' }]);
  log.add(request('/more'), null);
  await stored.flush();
  expect((await openLog(file)).log.list().map(({ path }) => path)).toEqual(['/kept', '/more']);
  const blocked = join(folder, 'folder');
  mkdirSync(blocked);
  chmodSync(blocked, 0o700);
  const other = await openLog(blocked);
  other.log.add(request('/a'), null);
  await other.stored.flush();
  expect(other.log.list()).toHaveLength(1);
});
