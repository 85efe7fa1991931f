import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { FROM_HOST } from '../../../src-main/scripting/sandbox/protocol/messages.ts';
import { ScriptHostPool } from '../../../src-main/scripting/sandbox/supervisor/script-host-pool.ts';
import { HOST_PROGRAM } from '../../support/scripting/hostile-host.ts';
import { sampled } from '../../support/run/scale.ts';
import { columns, runScript, type JobChanges } from '../../support/scripting/script-runs.ts';
import { sharedFolder } from '../../support/temp-folder.ts';

/** Programs that replace a script host, as a compromised one might behave: real processes on real pipes. */
const folder = sharedFolder();
const MB = 1024 ** 2;
const pools: ScriptHostPool[] = [];

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
});

const COMMON = `${HOST_PROGRAM}
  const { ready, call, console: entry, consoleDropped, done } = ${JSON.stringify(FROM_HOST)};
  say(ready, '');
  read();
`;
let programs = 0;

/** A pool of one host that runs the program when it receives a run. */
function poolOf(program: string, log: string[] = []): ScriptHostPool {
  programs += 1;
  const hostFile = join(folder, `program-${programs}.cjs`);
  writeFileSync(hostFile, COMMON + program);
  const pool = new ScriptHostPool({
    hostFile,
    nodeBinary: process.execPath,
    count: 1,
    spare: false,
    log: (line) => log.push(line),
  });
  pools.push(pool);
  return pool;
}

const GET = JSON.stringify('["get",1,["a"],"",""]');
const patient: JobChanges = { limits: { scriptMs: 60_000, totalMs: 120_000, resultBytes: 16 * MB } };

describe('a compromised host', () => {
  test.each(
    sampled(
      [
        [
          'floods main with calls and never reads',
          `for (const calls = Buffer.concat(Array(5_000).fill(frame(call, ${GET})));;) send(calls);`,
        ],
        ['makes calls one by one and never reads', `for (;;) { say(call, ${GET}); pause(2); }`],
        [
          'floods main with console notes',
          `for (const notes = Buffer.concat(Array(5_000).fill(frame(consoleDropped, '1')));;) send(notes);`,
        ],
        [
          'sends a Set of 12,000,000 objects',
          `say(call, '["set",1,[{"tag":"a","value":[' + '{},'.repeat(12e6) + '1]}],"",""]'); read(); for (;;);`,
        ],
        [
          'ends with a result of a million arrays',
          `say(done, '{"status":"ok","dropped":0,"result":[' + '[],'.repeat(1_500_000) + '1]}'); for (;;);`,
        ],
        [
          'continues before the response to its request',
          `send(Buffer.concat([frame(call, ${GET}), frame(entry, '0x')])); for (;;) read();`,
        ],
      ],
      3,
    ),
  )('that %s is ended, logged and counted, and main keeps little of its data', async (_, program) => {
    const log: string[] = [];
    const pool = poolOf(program, log);
    const text = 'x'.repeat(100_000);
    const before = process.memoryUsage();
    const outcome = await runScript(pool, 'attack', {
      ...patient,
      calls: { get: () => columns([text]), set: () => columns([]) },
    });
    const { external, heapUsed } = process.memoryUsage();
    expect(outcome).toMatchObject({
      status: 'crashed',
      error: { message: expect.stringContaining('the script host sent') },
    });
    expect(pool.status()).toMatchObject({ restarts: 1, protocolViolations: 1 });
    expect(log).toEqual([
      expect.stringMatching(/^script host \d+ sent .* and was ended; it ran the script of Plant\.Line/),
    ]);
    expect(external + heapUsed - before.external - before.heapUsed).toBeLessThan(150 * MB);
  });

  test.each(
    sampled(
      [
        ['says nothing', 'for (;;) read();', 'limits.scriptMs'],
        [
          'sends a call byte by byte',
          `for (const byte of frame(call, '["get",1,["' + 'x'.repeat(1e6) + '"],"",""]')) { send(Buffer.of(byte)); pause(5); }`,
          'limits.scriptMs',
        ],
        ['makes calls endlessly, each with a response', `for (;;) { say(call, ${GET}); read(); }`, 'limits.totalMs'],
        [
          'makes the most expensive calls, endlessly',
          `const dear = frame(call, '["set",1,[{"tag":"a","value":[' + '{},'.repeat(850_000) + '1]}],"",""]'); for (;;) { send(dear); read(); }`,
          'limits.',
        ],
      ],
      2,
    ),
  )('that %s is ended by its limits, while main serves others', async (_, program, setting) => {
    const server = createServer((__, response) => response.end('ok')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const pool = poolOf(program);
    const limits =
      setting === 'limits.scriptMs' ? { scriptMs: 2_000, totalMs: 60_000 } : { scriptMs: 60_000, totalMs: 5_000 };
    const over = new AbortController();
    const running = runScript(pool, 'attack', {
      limits,
      calls: { get: () => columns([1]), set: () => columns([1]) },
    }).finally(() => {
      over.abort();
    });
    let polls = 0;
    while (!over.signal.aborted) {
      await fetch(`http://127.0.0.1:${port}`).then((response) => response.text());
      polls += 1;
      await wait(5);
    }
    expect(await running).toMatchObject({ status: 'timeout', error: { message: expect.stringContaining(setting) } });
    expect(polls).toBeGreaterThan(3);
    server.close();
  });
});
