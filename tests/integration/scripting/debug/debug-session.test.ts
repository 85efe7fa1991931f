import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Breakpoint, DebugStep } from '#domain/run/debug';
import type { DebuggedRun } from '../../../../src-main/scripting/debug/debugged-run.ts';
import {
  DebugSession,
  type DebugRunOptions,
  type SessionPause,
} from '../../../../src-main/scripting/debug/debug-session.ts';
import type { ScriptOutcome, ScriptRun } from '../../../../src-main/scripting/sandbox/script-run.ts';
import type { ScriptHostPool } from '../../../../src-main/scripting/sandbox/supervisor/script-host-pool.ts';
import { jobOf, realPool } from '../../../support/scripting/script-runs.ts';

/** A debugged run of a body: waits for its pauses, and for its end. */
class Debugged {
  readonly session: DebugSession;
  readonly logs: string[] = [];
  readonly ended: Promise<ScriptOutcome>;
  #pauses: SessionPause[] = [];
  #waiting: ((pause: SessionPause) => void) | null = null;

  constructor(
    pool: ScriptHostPool,
    body: string,
    options: Partial<DebugRunOptions> & { breakpoints?: Breakpoint[] } = {},
    limits = {},
  ) {
    const { breakpoints = [], ...others } = options;
    this.session = new DebugSession(
      pool,
      {
        paused: (pause) => {
          const waiting = this.#waiting;
          this.#waiting = null;
          if (waiting) waiting(pause);
          else this.#pauses.push(pause);
        },
        continued: () => undefined,
        logged: (text, _run, line) => void this.logs.push(`${line}: ${text}`),
        console: () => undefined,
      },
      { exceptions: 'none', stopOnEntry: false, ...others, breakpoints: () => breakpoints },
    );
    const job = jobOf(body, { limits });
    this.ended = this.#start(pool, job);
  }

  async #start(pool: ScriptHostPool, job: ScriptRun): Promise<ScriptOutcome> {
    const form = await this.session.attach(job);
    if (form === null) throw new Error('it cannot be debugged');
    const calls = form.calls(job.calls);
    return form.ended(await pool.run({ ...job, body: form.body, debug: form.debug, calls }));
  }

  pause(): Promise<SessionPause> {
    const next = this.#pauses.shift();
    if (next) return Promise.resolve(next);
    return new Promise((resolve, reject) => {
      this.#waiting = resolve;
      void this.ended.then((outcome) => reject(new Error(`it ended: ${JSON.stringify(outcome)}`)));
    });
  }

  async step(step: DebugStep): Promise<string> {
    const next = this.pause();
    this.session.resume(step);
    return placeOf(await next);
  }

  get run(): DebuggedRun {
    const run = this.session.runs.at(-1);
    if (!run) throw new Error('it has ended');
    return run;
  }

  async evaluate(text: string, frame = 0): Promise<string> {
    return (await this.run.evaluate(frame, text)).text;
  }
}

const placeOf = ({ frames }: SessionPause): string =>
  frames.map(({ name, line }) => `${name ?? 'body'}:${line}`).join(' ');

describe('a debugged run', () => {
  let pool: ScriptHostPool;
  beforeAll(() => {
    pool = realPool({ forDebug: true, count: 4, spare: false });
  });
  afterAll(() => pool.close());

  const BODY = `const list = [1, 2, 3];
let sum = 0;
for (const one of list) {
  sum += twice(one);
}
return sum;
function twice(x) {
  let y = x * 2;
  return y;
}`;

  test('pauses at breakpoints, and shows the variables of all frames', async () => {
    const debugged = new Debugged(pool, BODY, { breakpoints: [{ line: 9 }] });
    expect(placeOf(await debugged.pause())).toBe('twice:9 body:4');
    const scopes = debugged.run.scopesOf(0);
    expect(scopes.map(({ kind, isClosure }) => `${kind} ${isClosure}`)).toEqual(['function false', 'function true']);
    const [local] = scopes;
    const variables = await debugged.run.variables(0, local?.names ?? []);
    expect(variables.map(({ name, text }) => `${name} ${text}`)).toEqual(['x 1', 'y 2', 'this globalThis']);
    expect(await debugged.evaluate('x + y')).toBe('3');
    expect(await debugged.evaluate('sum + one', 1)).toBe('1');
    await debugged.run.assign(0, null, 'y', '50');
    debugged.session.setBreakpoints(() => []);
    debugged.session.resume('continue');
    expect(await debugged.ended).toMatchObject({ status: 'ok', result: 60 });
  });

  test('continues after the reply to a question that was asked before', async () => {
    const debugged = new Debugged(pool, BODY, { stopOnEntry: true });
    await debugged.pause();
    const [sent, waiting] = [debugged.evaluate('1 + 1'), debugged.evaluate('2 + 2')];
    waiting.catch(() => undefined);
    await Promise.resolve();
    const next = debugged.step('over');
    expect(() => debugged.session.resume('over')).toThrow('not paused');
    expect(await next).toBe('body:2');
    expect(await sent).toBe('2');
    await expect(waiting).rejects.toThrow('not paused');
    debugged.session.resume('continue');
    expect(await debugged.ended).toMatchObject({ status: 'ok', result: 12 });
  });

  test('steps', async () => {
    const debugged = new Debugged(pool, BODY, { stopOnEntry: true });
    expect(placeOf(await debugged.pause())).toBe('body:1');
    expect(await debugged.step('over')).toBe('body:2');
    expect(await debugged.step('over')).toBe('body:3');
    expect(await debugged.step('over')).toBe('body:4');
    expect(await debugged.step('into')).toBe('twice:8 body:4');
    expect(await debugged.step('over')).toBe('twice:9 body:4');
    expect(await debugged.step('out')).toBe('body:4');
    expect(await debugged.step('over')).toBe('body:4');
    expect(await debugged.step('over')).toBe('body:6');
    debugged.session.resume('over');
    expect(await debugged.ended).toMatchObject({ status: 'ok', result: 12 });
  });

  test('pauses in an endless loop', async () => {
    const debugged = new Debugged(
      pool,
      'let n = 0;\nfor (;;) {\n  n++;\n  if (n < 0) break;\n}\nreturn n;',
      {},
      { scriptMs: 60_000, totalMs: 60_000 },
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    debugged.session.requestPause();
    await debugged.pause();
    await debugged.run.assign(0, null, 'n', '-5');
    debugged.session.resume('continue');
    expect(await debugged.ended).toMatchObject({ status: 'ok', result: expect.any(Number) });
  });

  test('pauses on exceptions, with the variables where they were thrown', async () => {
    const body = `const a = 1;
try { fail(2); } catch (e) { console.log(e.message); }
fail(3);
function fail(b) {
  const c = a + b;
  null.x;
}`;
    const uncaught = new Debugged(pool, body, { exceptions: 'uncaught' });
    expect(placeOf(await uncaught.pause())).toBe('fail:6 body:3');
    expect(await uncaught.evaluate('c')).toBe('4');
    uncaught.session.resume('continue');
    expect(await uncaught.ended).toMatchObject({ status: 'error', error: { line: 6, column: 8 } });
    const all = new Debugged(pool, body, { exceptions: 'all' });
    const pause = await all.pause();
    expect(placeOf(pause)).toBe('fail:6 body:2');
    expect(pause.error).toMatchObject({ isCaught: true, error: { name: 'TypeError', line: 6, column: 8 } });
    expect(await all.step('continue')).toBe('fail:6 body:3');
    all.session.resume('continue');
    await all.ended;
  });

  test('has conditions, hit counts and log points', async () => {
    const debugged = new Debugged(pool, BODY, {
      breakpoints: [
        { line: 8, condition: 'x === 2' },
        { line: 9, log: 'y is {y}, {"a" + x}' },
        { line: 4, hits: 3 },
      ],
    });
    expect(placeOf(await debugged.pause())).toBe('twice:8 body:4');
    expect(await debugged.step('continue')).toBe('body:4');
    debugged.session.resume('continue');
    await debugged.ended;
    expect(debugged.logs).toEqual(['9: y is 2, a1', '9: y is 4, a2', '9: y is 6, a3']);
  });

  test('expands objects in pages, getters and proxies on request only', async () => {
    const debugged = new Debugged(
      pool,
      'let read = 0; const o = { get a() { read++; return 5 }, b: [1, , 3], m: new Map([["k", { d: 1 }]]) };\nconst p = new Proxy({}, { get() { read++ }, ownKeys() { read++; return [] } });\nconst big = Array(100_000).fill(7);\nreturn read;',
      { breakpoints: [{ line: 4 }] },
    );
    await debugged.pause();
    const o = await debugged.run.evaluate(0, 'o');
    const members = await debugged.run.members(o.ref, 0, 100);
    expect(members.map(({ name, text }) => `${name}: ${text}`).slice(0, 3)).toEqual(
      ['a: (...)', 'b: (3) [1, 3, …]', 'm: Map(1)'].map(() => expect.any(String)),
    );
    expect((await debugged.run.get(o.ref, 'a')).text).toBe('5');
    expect((await debugged.run.evaluate(0, 'p')).text).toBe('Proxy');
    const big = await debugged.run.evaluate(0, 'big');
    expect(big.length).toBe(100_000);
    expect((await debugged.run.members(big.ref, 99_998, 10)).map(({ name }) => name)).toEqual([
      '99998',
      '99999',
      'length',
      '[[Prototype]]',
    ]);
    await expect(debugged.evaluate('nothing')).rejects.toThrow('ReferenceError: nothing is not defined');
    debugged.session.resume('continue');
    expect(await debugged.ended).toMatchObject({ status: 'ok', result: 1 });
  });

  test('functions show their original text', async () => {
    const debugged = new Debugged(
      pool,
      'const f = (x) => x + 1;\nfunction g() { return f(1) }\nreturn [String(f), g.toString(), String(Function.prototype.toString), String(Proxy)];',
    );
    expect(await debugged.ended).toMatchObject({
      result: [
        '(x) => x + 1',
        'function g() { return f(1) }',
        'function toString() { [native code] }',
        expect.stringContaining('native code'),
      ],
    });
  });
});
