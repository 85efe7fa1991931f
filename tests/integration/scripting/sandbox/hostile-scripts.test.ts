import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ScriptHostPool } from '../../../../src-main/scripting/sandbox/supervisor/script-host-pool.ts';
import { columns, realPool, runScript } from '../../../support/scripting/script-runs.ts';
import { turnsDuring } from '../../../support/turns.ts';
import { CORPUS } from '../../attack/corpus/index.ts';

describe('a hostile script (attack/corpus has more of them)', () => {
  let pool: ScriptHostPool;

  beforeAll(() => {
    pool = realPool();
    pool.start();
  });
  afterAll(() => pool.close());

  test('finds nothing of Node', async () => {
    const { result } = await runScript(
      pool,
      'return [typeof process, typeof require, typeof Buffer, typeof setTimeout, typeof fetch]',
    );
    expect(result).toEqual(Array(5).fill('undefined'));
  });

  test('finds no changes by another run to globals and prototypes', async () => {
    await runScript(
      pool,
      'Object.prototype.evil = 1; Array.prototype.push = null; globalThis.x = 1; JSON.parse = null; return 1',
    );
    const { result } = await runScript(pool, 'return [({}).evil, typeof [].push, typeof x, JSON.parse("[1]")]');
    expect(result).toEqual([null, 'function', 'undefined', [1]]);
  });

  test('cannot get a large ArrayBuffer: the run ends, or the script sees an error', async () => {
    const bomb = 'const a = [];\nwhile (true) a.push(new Uint8Array(1e6).fill(1))';
    const limits = { scriptMs: 4_000 };
    const ended = await runScript(pool, bomb, { limits });
    expect(ended).toMatchObject({ status: 'memory', error: { name: 'MemoryError', line: 2 }, result: null });
    expect(ended.error?.message).toContain('more than 64 MB (setting limits.memoryMb)');
    const caught = `const a = []; try { for (;;) a.push(new Uint8Array(1e6)) } catch (error) { return error.message }`;
    expect(await runScript(pool, caught, { limits })).toMatchObject({
      status: 'ok',
      result: 'Array buffer allocation failed',
    });
  });

  test('floods the console: the last entries are kept, even if it is stopped', async () => {
    const done = await runScript(pool, 'for (let i = 0; i < 5000; i++) console.log(i, "x".repeat(i)); return 1', {
      limits: { consoleEntries: 10 },
    });
    expect(done).toMatchObject({ status: 'ok', consoleDropped: 4990 });
    expect(done.console.map(({ text }) => Number.parseInt(text, 10))).toEqual(
      Array.from({ length: 10 }, (_, index) => 4990 + index),
    );
    const times = done.console.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    const ended = await runScript(pool, 'console.warn("first"); for (let i = 0; ; i++)\nconsole.log(i)', {
      limits: { scriptMs: 1_000, consoleEntries: 2 },
    });
    expect(done.console.every(({ line }) => line === 1)).toBe(true);
    expect(ended).toMatchObject({ status: 'timeout', console: [{ level: 'log' }, { level: 'log' }] });
    const [before, last] = ended.console.map(({ text }) => Number(text));
    expect(last).toBe((before ?? 0) + 1);
    expect(ended.consoleDropped).toBe(last);
    const none = await runScript(pool, 'for (let i = 0; i < 100; i++) console.log(i)', {
      limits: { consoleEntries: 0 },
    });
    expect(none).toMatchObject({ status: 'ok', console: [], consoleDropped: 100 });
  });

  test('fills the console with large texts: the last ones are kept', async () => {
    const body = 'for (let i = 0; i < 9000; i++) console.log(i, "x".repeat(9_990)); return 1';
    const done = await runScript(pool, body, { limits: { consoleEntries: 100_000, scriptMs: 60_000 } });
    expect(done.status).toBe('ok');
    expect(done.console.length + done.consoleDropped).toBe(9_000);
    expect(done.console.at(-1)?.text).toMatch(/^8999 x/);
    expect(done.console.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(33 * 1_048_576);
  });

  test('is killed inside a native call: its earlier output and writes are reported', async () => {
    const written: string[] = [];
    const outcome = await runScript(
      pool,
      'console.log("before"); TagValueManager.Set([{ tag: "a", value: 1 }]); const a = []; a.length = 4294967295; a.indexOf(1); return 1',
      {
        limits: { scriptMs: 2_000 },
        calls: { get: () => columns([]), set: (items) => (written.push(...items.map(({ tag }) => tag)), columns([1])) },
      },
    );
    expect(outcome).toMatchObject({ status: 'timeout', console: [{ text: 'before' }] });
    expect(written).toEqual(['a']);
  });

  test('makes host calls at the end of its stack: they work or fail, without a path', async () => {
    const { status, result } = await runScript(
      pool,
      `const errors = [];
      const down = () => {
        try { down() } catch (error) { errors.push(error) }
        if (errors.length > 500) return;
        try { TagValueManager.Get(['a']) } catch (error) { errors.push(error) }
      };
      try { down() } catch {}
      return errors.map(({ stack }) => String(stack)).filter((text) => /boundary|node:|file:|[/\\\\]/.test(text)).slice(0, 2)`,
      { limits: { scriptMs: 60_000 } },
    );
    expect({ status, result }).toEqual({ status: 'ok', result: [] });
    expect(await runScript(pool, 'return 2')).toMatchObject({ status: 'ok', result: 2 });
  });

  test('calls Get with names of 1 MB, and with 100,000 names', async () => {
    const long = await runScript(
      pool,
      'return TagValueManager.Get(["x".repeat(1e6), "__proto__"]).Value.map((v) => v.Path.length)',
    );
    expect(long.result).toEqual([1_000_000, 9]);
    const many = await runScript(
      pool,
      'const t = Array.from({ length: 100000 }, (_, i) => "Plant.Line." + i); const r = TagValueManager.Get(t); return [r.Success, r.Value.length, r.Value[99999].Path, r.Value[99999].Value]',
      { limits: { scriptMs: 60_000 } },
    );
    expect(many.result).toEqual([true, 100_000, 'Plant.Line.99999', 99_999]);
  });

  test('exceeds the size limit of a call', async () => {
    const outcome = await runScript(
      pool,
      'const t = "x".repeat(1e6); TagValueManager.Get(Array.from({ length: 70 }, () => t))',
      { limits: { memoryMb: 256, scriptMs: 60_000 } },
    );
    expect(outcome.error?.message).toContain('one call can carry at most 64 MB');
  });

  test('leaves the application responsive', async () => {
    const run = runScript(pool, 'while (true);', { limits: { scriptMs: 2_000 } });
    expect(await turnsDuring(() => run)).toBeGreaterThan(100);
    expect((await run).status).toBe('timeout');
  });
});

describe.each([
  { next: 'a spare host', spare: true },
  { next: 'the same host', spare: false },
])('a script that acts after its end, followed at once by a run on $next', ({ spare }) => {
  let pool: ScriptHostPool;

  beforeAll(() => {
    pool = realPool({ spare });
    pool.start();
  });
  afterAll(() => pool.close());

  test('schedules work for after its end: it has no effect on the next run', async () => {
    const seen: string[][] = [];
    const calls = { get: (tags: string[]) => (seen.push(tags), columns(tags.map(() => 1))), set: () => columns([]) };
    await runScript(
      pool,
      'const late = async () => { for (let i = 0; i < 50; i++) await 0; TagValueManager.Get(["late"]); console.log("late") }; late(); return 1',
      { calls },
    );
    const next = await runScript(
      pool,
      'for (let i = 0; i < 200; i++) await 0; TagValueManager.Get(["mine"]); return 1',
      { calls },
    );
    expect(next).toMatchObject({ status: 'ok', console: [] });
    expect(seen).toEqual([['mine']]);
  });

  test('rejects promises that reject others when read: the next runs are normal', async () => {
    const late = `let n = 0;
      const b = () => ({ get message() { if (++n === 1) { globalThis.k = Promise.reject(b()); return 'x'; } for (;;); } });
      Promise.reject(b());
      return 1;`;
    for (let round = 0; round < 3; round += 1) {
      expect(await runScript(pool, late)).toMatchObject({ status: 'ok', result: 1, console: [{ level: 'error' }] });
      expect(await runScript(pool, 'return 2')).toMatchObject({ status: 'ok', result: 2, console: [] });
    }
  });

  test('rejects with an endless error message after its body has returned: it times out', async () => {
    const limits = { scriptMs: 300 };
    const endless = `Promise.reject({ get message() { for (;;); } }); return 1`;
    expect(await runScript(pool, endless, { limits })).toMatchObject({ status: 'timeout' });
    expect(await runScript(pool, 'return 2')).toMatchObject({ status: 'ok', result: 2 });
  });

  test('rejects with the message of a timeout: it does not count as timed out', async () => {
    const outcome = await runScript(pool, "Promise.reject(new Error('Script execution timed out.')); return 7");
    expect(outcome).toMatchObject({ status: 'ok', result: 7 });
    expect(outcome.console[0]?.text).toContain('Script execution timed out.');
  });

  test.each((CORPUS.cpu ?? []).filter(({ body }) => body.includes('reject(')))(
    '$name',
    async ({ body, ends, scriptMs = 300 }) => {
      const limits = { scriptMs, totalMs: 20_000 };
      for (let round = 0; round < 2; round += 1) {
        expect(ends).toContain((await runScript(pool, body, { limits })).status);
        const next = await runScript(pool, 'console.log(typeof k); return [typeof n, await 7]', { limits });
        expect(next).toMatchObject({ status: 'ok', result: ['undefined', 7], console: [{ text: 'undefined' }] });
      }
    },
  );
});
