import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEBUG_LIMITS } from '#domain/run/debug';
import type { RunError, RunReport } from '#domain/run/run';
import { parseJson } from '#domain/text/json';
import { runWithNotes } from '../../../../src-main/scripting/values/noted-run.ts';
import { DebugSession } from '../../../../src-main/scripting/debug/debug-session.ts';
import type { HostCalls, ScriptOutcome, ScriptRun } from '../../../../src-main/scripting/sandbox/script-run.ts';
import type { ScriptHostPool } from '../../../../src-main/scripting/sandbox/supervisor/script-host-pool.ts';
import { generatedBody } from '../../../support/scripting/generated-bodies.ts';
import { ROOT } from '../../../support/product/product.ts';
import { seededRandom } from '../../../support/run/random.ts';
import { sampled, scaled } from '../../../support/run/scale.ts';
import { jobOf, PLAIN_CALLS, realPool } from '../../../support/scripting/script-runs.ts';

/** What a person sees of a run: how it ended, what it printed, and the calls that it made. */
type Seen = Pick<ScriptOutcome, 'status' | 'result' | 'error'> & { console: unknown[]; calls: string[] };

/** A body may be as long with its probes as they make it. */
const LIMITS = { scriptMs: 10_000, totalMs: 60_000, bodyBytes: 16_000_000 };

function recorded(): { calls: HostCalls; made: string[] } {
  const made: string[] = [];
  return {
    made,
    calls: {
      get: (tags, scope, line) => {
        made.push(`get ${tags.join()} ${line}`);
        return PLAIN_CALLS.get(tags, scope, line);
      },
      set: (items, scope, line) => {
        made.push(`set ${JSON.stringify(items)} ${line}`);
        return PLAIN_CALLS.set(items, scope, line);
      },
    },
  };
}

function seen({ status, result, error, console }: ScriptOutcome, calls: string[]): Seen {
  const text = JSON.stringify({
    status,
    result,
    error: error && placed(error),
    console: console.map(({ level, text: printed, line, values }) => ({ level, text: printed, line, values })),
    calls,
  });
  return parseJson(quoted(text)) as unknown as Seen;
}

/** The engine gives an undeclared name the place of whatever ran before it, which can be a probe. Such frames are omitted. */
function placed({ line, column, stack, ...error }: RunError): object {
  return error.message.endsWith(' is not defined') ? error : { ...error, line, column, stack: stack.map(known) };
}

/** The engine gives the call of a static initializer the place of whatever ran before it. */
function known(frame: RunError['stack'][number], index: number, stack: RunError['stack']): object {
  const { function: name } = frame;
  return stack[index - 1]?.function === '<static_initializer>' ? { function: name } : frame;
}

/** Without what differs between any two runs, and without what the engine counts when it quotes a function in an error. */
const quoted = (text: string): string =>
  text
    .replace(/(?:\(intermediate value\)){2,}/g, '(intermediate value)')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-01-02T03:04:05Z');

async function plainRun(pool: ScriptHostPool, body: string): Promise<Seen> {
  const { calls, made } = recorded();
  return seen(await pool.run(jobOf(body, { calls, limits: LIMITS })), made);
}

/** @param steps how many times the run is stepped before it continues; 0 for a run without pauses */
async function debuggedRun(pool: ScriptHostPool, body: string, steps: number): Promise<Seen | null> {
  const { calls, made } = recorded();
  let left = steps;
  const session: DebugSession = new DebugSession(
    pool,
    {
      paused: () => {
        left -= 1;
        session.resume(left > 0 ? 'into' : 'continue');
      },
      continued: () => undefined,
      logged: () => undefined,
      console: () => undefined,
    },
    { exceptions: steps > 0 ? 'all' : 'none', stopOnEntry: steps > 0 },
  );
  const job = jobOf(body, { calls, limits: LIMITS });
  const form = await session.attach(job);
  // The parser of the debugger refuses what the engine reports when it runs: such a body runs without the debugger.
  if (form === null) return null;
  const run: ScriptRun = {
    ...job,
    body: form.body,
    calls: form.calls(job.calls),
    ...(form.debug && { debug: form.debug }),
  };
  return seen(form.ended(await pool.run(run)), made);
}

/** The runs are compared by their outcomes. */
const UNUSED: RunReport = {
  status: 'ok',
  result: null,
  error: null,
  console: [],
  reads: [],
  writes: [],
  apiCalls: [],
  timing: { startedAt: '', queuedMs: 0, scriptMs: 0, hostCallMs: 0, totalMs: 0 },
  dryRun: true,
  dropped: { console: 0, reads: 0, writes: 0 },
};

/** A run that notes its values; null if the body cannot be instrumented, or runs too many statements. */
async function notedRun(pool: ScriptHostPool, body: string): Promise<Seen | null> {
  const { calls, made } = recorded();
  const job = jobOf(body, { calls, limits: LIMITS });
  const all: Seen[] = [];
  const { stopped } = await runWithNotes(
    { body, context: job.context, dryRun: true },
    {
      runner: pool,
      mask: () => null,
      run: async (_request, debugging) => {
        const form = await debugging.attach(job);
        if (form === null) return UNUSED;
        const run: ScriptRun = {
          ...job,
          body: form.body,
          calls: form.calls(job.calls),
          signal: form.signal,
          ...(form.debug && { debug: form.debug }),
        };
        all.push(seen(form.ended(await pool.run(run)), made));
        return UNUSED;
      },
    },
  );
  if (stopped) return null;
  return all[0] ?? null;
}

/** The scripts of the sample, and source files of packages, as bodies. */
function realBodies(): string[] {
  const packages = '{acorn,ajv,commander,fast-check,magic-string,marked,semver,undici,uplot,ws,zod}';
  const files = [
    ...globSync('resources/sample/**/*.js', { cwd: ROOT }).toSorted(),
    ...globSync(`node_modules/${packages}/**/*.{js,cjs}`, { cwd: ROOT }).toSorted(),
    ...globSync('node_modules/*/{lib,dist,src}/*.{js,cjs}', { cwd: ROOT }).toSorted(),
  ];
  const bodies = [...new Set(files)].flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8').replace(/^#!.*/, '');
    const isModule = /^\s*(?:import|export)\b/m.test(text);
    if (isModule || text.length > DEBUG_LIMITS.body - 1_000) return [];
    return [file.startsWith('resources') ? text : asBody(text)];
  });
  return bodies.slice(0, 700);
}

const asBody = (text: string): string =>
  `var module = { exports: {} }, exports = module.exports, require = () => ({}), process = { env: {} };\n${text}\n;return Object.keys(module.exports).map((key) => [key, typeof module.exports[key]])`;

/** At most `most` bodies, while more are wanted. */
function* generatedBodies(most: number, areWanted: () => boolean): Generator<string> {
  const random = seededRandom();
  for (let count = 0; count < most && areWanted(); count += 1) yield generatedBody(random);
}

describe('a debugged run, and one that notes its values', () => {
  let plain: ScriptHostPool;
  let debug: ScriptHostPool;
  beforeAll(() => {
    plain = realPool({ count: 2 });
    debug = realPool({ forDebug: true, count: 2, spare: false });
  });
  afterAll(() => Promise.all([plain.close(), debug.close()]));

  /**
   * Compares the runs of each body with its plain run.
   * @param compared how many bodies had a run of each kind; it is increased
   * @param noted after this many, no more runs note their values
   */
  async function compare(
    bodies: Iterable<string>,
    compared: { debugged: number; noted: number },
    {
      stepsOf = () => 0,
      noted: wanted = Number.POSITIVE_INFINITY,
    }: { stepsOf?: (index: number) => number; noted?: number } = {},
  ): Promise<void> {
    let index = 0;
    const work = async (): Promise<void> => {
      for (const body of bodies) {
        const debugged = await debuggedRun(debug, body, stepsOf(index++));
        const noted = compared.noted < wanted ? await notedRun(debug, body) : null;
        if (debugged === null && noted === null) continue;
        const same = { body, ...(await plainRun(plain, body)) };
        if (debugged !== null) expect({ body, ...debugged }).toEqual(same);
        if (noted !== null) expect({ body, ...noted }).toEqual(same);
        compared.debugged += debugged === null ? 0 : 1;
        compared.noted += noted === null ? 0 : 1;
      }
    };
    await Promise.all([work(), work()]);
  }

  test('do the same as a plain run: generated bodies', { timeout: 3_600_000 }, async () => {
    const compared = { debugged: 0, noted: 0 };
    const wanted = { debugged: scaled(120, 10_000), noted: scaled(120, 3_000) };
    const bodies = generatedBodies(
      1.25 * wanted.debugged,
      () => compared.debugged < wanted.debugged || compared.noted < wanted.noted,
    );
    // A tenth of them is stepped through.
    await compare(bodies, compared, { stepsOf: (index) => (index % 10 === 0 ? 40 : 0), noted: wanted.noted });
    expect(compared.debugged).toBeGreaterThanOrEqual(wanted.debugged);
    expect(compared.noted).toBeGreaterThanOrEqual(wanted.noted);
  });

  test('do the same as a plain run: real bodies', { timeout: 3_600_000 }, async () => {
    const compared = { debugged: 0, noted: 0 };
    await compare(sampled(realBodies(), 40).values(), compared);
    expect(compared.debugged).toBeGreaterThanOrEqual(scaled(30, 500));
    expect(compared.noted).toBeGreaterThanOrEqual(scaled(30, 500));
  });
});
