import { setImmediate as turn } from 'node:timers/promises';
import { fc } from '../../support/run/random.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RUN_STATUSES } from '#domain/run/run';
import { encodeFrame } from '../../../src-main/platform/host-pipe/frames.ts';
import { FROM_HOST } from '../../../src-main/scripting/sandbox/protocol/messages.ts';
import type { HostEvents } from '../../../src-main/scripting/sandbox/supervisor/host-process.ts';
import { ScriptHostPool } from '../../../src-main/scripting/sandbox/supervisor/script-host-pool.ts';
import { scaled } from '../../support/run/scale.ts';
import { columns, runScript } from '../../support/scripting/script-runs.ts';

/** The approximate number of compromised hosts (`FUZZ_RUNS` overrides it), and the maximum at a time. */
const HOSTS = Number(process.env['FUZZ_RUNS'] ?? scaled(300, 1_500));
const AT_ONCE = 100;
const AT_LEAST = 20;

const error = { name: 'Error', message: 'no', line: 1, column: 2, stack: [{ function: 'f', line: 1, column: 2 }] };
/** The messages of real hosts. */
const SAID: [type: number, text: string][] = [
  [FROM_HOST.call, '["get",7,["a","b"],"D",""]'],
  [FROM_HOST.call, '["set",null,[{"tag":"a","value":{"x":[1,null]}}],"",""]'],
  [FROM_HOST.call, '["api","Fetch",["http://x","get",null,null,"application/json"]]'],
  [FROM_HOST.console, '1hello'],
  [FROM_HOST.consoleDropped, '12'],
  [FROM_HOST.ready, ''],
  [FROM_HOST.done, JSON.stringify({ status: 'ok', dropped: 0, result: { a: [1, 'ü'] } })],
  [FROM_HOST.done, JSON.stringify({ status: 'error', dropped: 0, error })],
  [FROM_HOST.done, JSON.stringify({ status: 'timeout', dropped: 0 })],
];

const frame = fc.constantFrom(...SAID).map(([type, text]) => encodeFrame(type, text));
const ofAnyType = fc
  .tuple(fc.oneof(fc.constantFrom(...Object.values(FROM_HOST)), fc.nat(255)), fc.oneof(fc.json(), fc.string()))
  .map(([type, text]) => encodeFrame(type, text));
/** The bytes of a valid frame, some of them changed, cut off or doubled. */
const broken = fc
  .tuple(frame, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 6 }), fc.nat())
  .map(([bytes, changes, cut]) => {
    const changed = Buffer.from(bytes);
    for (const [place, value] of changes) changed[place % changed.length] = value;
    return cut % 4 === 0 ? changed.subarray(0, cut % changed.length) : changed;
  });
const bytes = fc.uint8Array({ maxLength: 400 }).map((raw) => Buffer.from(raw));
/** A frame that claims to exceed the maximum size. */
const boast = fc.tuple(fc.nat(), fc.nat(255)).map(([length, type]) => {
  const header = Buffer.alloc(5);
  header.writeUInt32LE((length * 7_919) >>> 0);
  header[4] = type;
  return header;
});
const stream = fc.array(fc.oneof(frame, frame, broken, ofAnyType, bytes, boast), { minLength: 1, maxLength: 12 });

/** Each real message: these are always tried. */
const EXAMPLES = SAID.map(([type, text]): [Buffer[], number] => [[encodeFrame(type, text)], 64]);

const unhandled: unknown[] = [];
const note = (thrown: unknown) => unhandled.push(thrown);
beforeAll(() => {
  process.on('unhandledRejection', note);
});
afterAll(() => {
  process.off('unhandledRejection', note);
});

test('whatever a host sends, its run ends with a report, and the pool continues', async () => {
  const ended = new Set<string>();
  const attempt = async ([said, chunk]: [Buffer[], number]): Promise<void> => {
    const outcome = await outcomeOf(said, chunk);
    expect(RUN_STATUSES).toContain(outcome.status);
    expect((outcome.error === null) === (outcome.status === 'ok')).toBe(true);
    expect(outcome.console.every(({ text }) => typeof text === 'string')).toBe(true);
    ended.add(outcome.status);
  };
  // Most of them become silent and end by a limit, so many are tried at a time. A failure shrinks to a few of them.
  const hosts = fc.array(fc.tuple(stream, fc.integer({ min: 1, max: 64 })), {
    // fast-check draws short arrays first; with a minimum of 1, every 27th run tried too few.
    minLength: AT_LEAST,
    maxLength: AT_ONCE,
    size: 'max',
  });
  let tried = 0;
  await fc.assert(
    fc.asyncProperty(hosts, async (several) => {
      tried += several.length;
      await Promise.all(several.map(attempt));
    }),
    { numRuns: Math.ceil((2 * HOSTS) / AT_ONCE), examples: [[EXAMPLES]] },
  );
  await turn();
  expect(unhandled).toEqual([]);
  expect(tried).toBeGreaterThan(HOSTS / 4);
  // Some frames are valid, so not everything may end as a protocol error.
  expect([...ended]).toEqual(expect.arrayContaining(['ok', 'error', 'crashed']));
}, 600_000);

/** The outcome of a run in a host that sends these bytes, in pieces of the given size. */
async function outcomeOf(said: Buffer[], chunk: number) {
  const pool = new ScriptHostPool({
    hostFile: '',
    nodeBinary: '',
    count: 1,
    spare: false,
    startHost: (events) => {
      let killed = false;
      void talk(events, said, chunk, () => killed);
      return {
        pid: null,
        unsent: 0,
        write: () => undefined,
        kill: () => {
          if (killed) return;
          killed = true;
          setImmediate(() => events.exit({ how: 'SIGKILL', stderr: '', unread: false }));
        },
      };
    },
  });
  try {
    return await runScript(pool, 'return 1', {
      limits: { scriptMs: 60, totalMs: 400 },
      calls: { get: (tags) => columns(tags.map(() => 1)), set: (items) => columns(items.map(() => 1)) },
    });
  } finally {
    await pool.close();
  }
}

/** Sends that it is ready, then everything else in pieces. */
async function talk(events: HostEvents, said: Buffer[], chunk: number, ended: () => boolean): Promise<void> {
  await turn();
  events.data(encodeFrame(FROM_HOST.ready, ''));
  await turn();
  const all = Buffer.concat(said);
  for (let at = 0; at < all.length; at += chunk) {
    if (ended()) return;
    events.data(all.subarray(at, at + chunk));
    if (at % 5 === 0) await turn();
  }
}
