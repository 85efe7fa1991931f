import type { ChildProcess } from 'node:child_process';
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { openWorkspaceStore } from '../../../src-main/storage/workspace/workspace-store.ts';
import { take } from '../http.ts';

export const MANY = 1_000_000;

const JSON_SERVER = resolve(import.meta.dirname, '../json-server/node_modules/json-server/lib/cli/bin.js');
const children: ChildProcess[] = [];
const folder = mkdtempSync(join(tmpdir(), 'tagwright-bench-'));
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

export interface ApiUnderTest {
  url: string;
  /** CPU time so far, in µs, and the highest resident memory since the previous call, in bytes. */
  usage(): Promise<{ cpu: number; rss: number }>;
}

/** Created by the first bench that needs it, and kept for the others. */
function kept<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}

/** The events API with a million active events. */
export const apiOfMany = kept(() => startApi('many', MANY));
/** The same with a thousand. */
export const apiOfFew = kept(() => startApi('few', 1_000));

/** The list of a million events as a file. */
const listFile = kept(() => saveList('list.json', {}));

/** A server that sends this list from memory. */
export const bufferServer = kept(async () => urlOf(await firstMessage(forkServer('buffer.ts', await listFile()))));

/** A server that sends this list, compressed with gzip, from blocks of 10 kB in memory. */
export const blocksServer = kept(async () => {
  const file = await saveList('list.json.gz', { 'Accept-Encoding': 'gzip' });
  return urlOf(await firstMessage(forkServer('blocks.ts', file)));
});

/** Bare Express over another copy of the million events. */
export const bareExpress = kept(async () => {
  const directory = join(folder, 'bare');
  await fillWithEvents(directory, MANY);
  return urlOf(await firstMessage(forkServer('bare-express.ts', directory)));
});

/** The body of the list as it is sent. */
async function saveList(name: string, headers: Record<string, string>): Promise<string> {
  const { url } = await apiOfMany();
  const file = join(folder, name);
  await new Promise<void>((saved, failed) => {
    request(`${url}/api/events`, { headers }, (response) => {
      pipeline(response, createWriteStream(file)).then(saved, failed);
    })
      .once('error', failed)
      .end();
  });
  return file;
}

/** json-server with the same million events, or null if it is not installed. */
export const jsonServer = kept(async () => {
  if (!existsSync(JSON_SERVER)) return null;
  const database = join(folder, 'db.json');
  const { createReadStream } = await import('node:fs');
  const list = createReadStream(await listFile());
  await pipeline(async function* whole() {
    yield '{"events":';
    yield* list;
    yield '}';
  }, createWriteStream(database));
  const port = await freePort();
  const args = ['--host', '127.0.0.1', '--port', `${port}`, '--quiet', '--no-gzip', '--id', 'AggregationEventId'];
  children.push(spawn(process.execPath, [JSON_SERVER, database, ...args], { stdio: 'ignore' }));
  const url = `http://127.0.0.1:${port}`;
  for (let waited = 0; waited < 120; waited += 1) {
    const response = await take(`${url}/events/1`).catch(() => null);
    if (response?.status === 200) return url;
    await delay(500);
  }
  throw new Error('json-server did not start within a minute');
});

/** Adds active events to a workspace that has `had`, until it has `count`. */
export async function fillWithEvents(directory: string, count: number, had = 0): Promise<void> {
  const store = openWorkspaceStore(directory);
  const at = Date.parse('2026-01-01T00:00:00Z');
  for (let done = had; done < count; done += 10_000) {
    await store.commits.run(() => {
      for (let n = done; n < Math.min(done + 10_000, count); n += 1) {
        store.events.insert({
          ruleId: 1 + (n % 20),
          eventDateTime: `${new Date(at + n * 1_000).toISOString().slice(0, -1)}+00:00`,
          at: at + n * 1_000,
          resultTableName: `result_${1 + (n % 20)}`,
          resultTableRecordId: 1 + n,
        });
      }
    });
  }
  store.close();
}

async function startApi(name: string, count: number): Promise<ApiUnderTest> {
  const directory = join(folder, name);
  await fillWithEvents(directory, count);
  return startApiOver(directory);
}

/** The events API over a workspace, in a separate process. */
export async function startApiOver(directory: string): Promise<ApiUnderTest & { close(): void }> {
  const child = forkServer('events-api.ts', directory);
  const url = urlOf(await firstMessage(child));
  return {
    url,
    close: () => void child.kill('SIGKILL'),
    usage: async () => {
      const response = firstMessage(child);
      child.send('usage');
      const { cpu, rss } = Object(await response);
      return { cpu: Number(cpu), rss: Number(rss) };
    },
  };
}

function forkServer(file: string, argument: string): ChildProcess {
  const child = fork(resolve(import.meta.dirname, '../servers', file), [argument]);
  children.push(child);
  return child;
}

async function firstMessage(child: ChildProcess): Promise<unknown> {
  const [message]: unknown[] = await once(child, 'message');
  return message;
}

const urlOf = (message: unknown) => String(Object(message).url);

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === 'object' && address ? address.port : 0;
}
