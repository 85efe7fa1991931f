import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { get } from 'node:http';
import { resolve } from 'node:path';
import pidusage from 'pidusage';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { PostgresServer } from '../../support/hub/postgres.ts';
import { postgresPrograms, startPostgres } from '../../support/hub/postgres.ts';
import { createHub } from './start-gateway.ts';

const EVENTS = 300_000;
const MOST_BYTES = 64 * 2 ** 20;

describe.skipIf(postgresPrograms() === null)('a large list through a gateway', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test('takes little memory, also for a client that reads slowly', async () => {
    const hub = await createHub(server, { leeds: EVENTS });
    const key = await hub.addKey('erp');
    const child = spawn(process.execPath, [resolve(import.meta.dirname, 'children/gateway.ts'), hub.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill());
    const [line]: unknown[] = await once(child.stdout, 'data');
    const url = String(line).trim();
    const memory = async () => (await pidusage(child.pid ?? 0)).memory;
    const list = async (isSlow: boolean): Promise<{ bytes: number; last: string }> => {
      const options = { headers: { 'X-API-Key': key, 'Accept-Encoding': 'identity' } };
      const request = get(`${url}/sites/leeds/api/events`, options);
      const [response] = await once(request, 'response');
      let [bytes, last] = [0, ''];
      for await (const chunk of response) {
        bytes += chunk.length;
        last = (last + String(chunk)).slice(-200);
        if (isSlow && bytes < 2_000_000) await new Promise((next) => setTimeout(next, 20));
      }
      return { bytes, last };
    };
    await list(false);
    const before = await memory();
    let most = before;
    const timer = setInterval(() => void memory().then((now) => (most = Math.max(most, now))), 50);
    const lists = await Promise.all([list(false), list(true), list(true)]);
    clearInterval(timer);
    for (const { last } of lists) expect(last).toMatch(new RegExp(`"ResultTableRecordId":${EVENTS * 10}\\}\\]$`));
    expect(new Set(lists.map(({ bytes }) => bytes)).size).toBe(1);
    expect(most - before).toBeLessThan(MOST_BYTES);
  });
});
