import type { Coverage } from '#domain/run/coverage';
import { mergedCoverage } from '#domain/run/coverage';
import type { RunContext, RunReport } from '#domain/run/run';
import type { ScriptTest, ScriptTestText, TestOutcome } from '#domain/run/script-test';
import { testOfRun } from '#domain/run/script-test';
import { nameKey } from '#domain/text/name-key';
import type { Client } from '../../../client/client.ts';
import { problemOf } from '../../../client/errors.ts';
import { stayCurrent } from '../../../client/stay-current.ts';
import { moment } from '../../../support/moment.ts';
import { shownValue } from '../../../support/shown-value.ts';
import { Store } from '../../../support/store.ts';

/** A text of a script: typed, or a saved version. */
export interface TestedText {
  /** null: the saved one. */
  body: string | null;
  /** null: not a saved version. */
  version: number | null;
}

/** The result of a test, and the text that it ran. */
export interface RanTest {
  outcome: TestOutcome;
  body: string;
  version: number | null;
  /** When the test was saved that ran. */
  savedAt: string;
  ms: number;
}

/** `not run`: some of the tests have not run since a change of the script or of the test. */
export type TestState = 'passed' | 'failed' | 'not run';

/** Tests that run in order, one at a time. */
export interface TestSeries {
  done: number;
  total: number;
  failed: number;
  /** Whether they are all tests of the workspace. */
  all: boolean;
  ended: 'no' | 'yes' | 'cancelled';
}

export interface TestsState {
  /** By script; null until they are loaded. */
  tests: ReadonlyMap<number, readonly ScriptTest[]> | null;
  ran: ReadonlyMap<number, RanTest>;
  /** The test that is running. */
  running: number | null;
  /** The current series, or the last one. */
  series: TestSeries | null;
  /** Why they can't be loaded or run. */
  problem: string | null;
}

type TestsClient = Pick<Client, 'scriptTests' | 'scripts'>;

/** The members that are omitted when a test is shown and saved. */
export const textOfTest = ({ id: _id, scriptId: _script, savedAt: _at, ...text }: ScriptTest): ScriptTestText => text;

/** The tests of all scripts, and their results in this window. */
export class ScriptTests {
  readonly store = new Store<TestsState>({ tests: null, ran: new Map(), running: null, series: null, problem: null });
  readonly #client: TestsClient;
  readonly #textOf: (scriptId: number) => TestedText;
  #cancel: AbortController | null = null;

  /** @param textOf the text of a script that its tests run: the typed one of an open script */
  constructor(client: TestsClient, textOf: (scriptId: number) => TestedText) {
    this.#client = client;
    this.#textOf = textOf;
  }

  /** Loads the tests, and reloads them whenever they or the scripts change, until the signal aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    const { scriptTests, scripts } = this.#client;
    await stayCurrent<unknown>(
      {
        changes: [
          (ended) => scriptTests.changes(undefined, { signal: ended }),
          (ended) => scripts.changes(undefined, { signal: ended }),
        ],
        read: (ended) => this.#read(ended),
        failed: ({ message }) => this.#set({ problem: message }),
      },
      signal,
    );
  }

  of(scriptId: number): readonly ScriptTest[] {
    return this.store.get().tests?.get(scriptId) ?? [];
  }

  /** Runs tests one at a time, until one can't be run or `cancel` is called. Ignored while others run. */
  async run(wanted: readonly ScriptTest[], all = false): Promise<void> {
    if (this.#cancel || wanted.length === 0) return;
    const cancel = new AbortController();
    this.#cancel = cancel;
    const total = wanted.length;
    let [done, failed] = [0, 0];
    const show = (ended: TestSeries['ended']) => this.#set({ series: { done, total, failed, all, ended } });
    this.#set({ problem: null });
    show('no');
    try {
      for (const test of wanted) {
        this.#set({ running: test.id });
        const ran = await this.#runOne(test, cancel.signal);
        if (cancel.signal.aborted) break;
        done += 1;
        if (!ran.outcome.passed) failed += 1;
        this.#set({ ran: new Map(this.store.get().ran).set(test.id, ran) });
        show('no');
      }
    } catch (error) {
      if (!cancel.signal.aborted) this.#set({ problem: problemOf(error).message });
    } finally {
      this.#cancel = null;
      this.#set({ running: null });
      show(done === total ? 'yes' : 'cancelled');
    }
  }

  async runAll(): Promise<void> {
    await this.run([...(this.store.get().tests ?? new Map<number, readonly ScriptTest[]>()).values()].flat(), true);
  }

  /** Keeps the outcome of a debugged test, which ran this text, unless it was stopped. */
  async debugged({ testId, savedAt }: { testId: number; savedAt: string }, body: string, outcome: TestOutcome) {
    const test = [...(this.store.get().tests?.values() ?? [])].flat().find(({ id }) => id === testId);
    if (!test || outcome.report?.status === 'cancelled') return;
    const typed = this.#textOf(test.scriptId);
    const saved = typed.body === null ? await this.#client.scripts.get({ id: test.scriptId }).catch(() => null) : null;
    const { body: text, version } = saved ?? typed;
    const before = this.store.get().ran.get(testId);
    // Debugged runs count no statements.
    const coverage = before?.body === body ? before.outcome.coverage : undefined;
    const ran: RanTest = {
      outcome: { ...outcome, ...(coverage && { coverage }) },
      body,
      version: text === body ? version : null,
      savedAt,
      // Without the pauses.
      ms: outcome.report?.timing.scriptMs ?? 0,
    };
    this.#set({ ran: new Map(this.store.get().ran).set(testId, ran) });
  }

  cancel(): void {
    this.#cancel?.abort();
  }

  /** Rejects with the errors of the contract; the list follows automatically. */
  async save(scriptId: number, text: ScriptTestText, id?: number): Promise<ScriptTest> {
    const saved = await this.#client.scriptTests.save({ ...text, scriptId, ...(id !== undefined && { id }) });
    await this.#refresh();
    return saved;
  }

  async delete(id: number): Promise<void> {
    await this.#client.scriptTests.delete({ id });
    await this.#refresh();
  }

  /** A name that no test of the script has. */
  freeName(scriptId: number, wanted: string): string {
    const taken = new Set(this.of(scriptId).map(({ name }) => nameKey(name)));
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? wanted : `${wanted} ${count}`;
      if (!taken.has(nameKey(name))) return name;
    }
  }

  async #runOne({ id, scriptId, savedAt }: ScriptTest, signal: AbortSignal): Promise<RanTest> {
    const typed = this.#textOf(scriptId);
    const saved = typed.body === null ? await this.#client.scripts.get({ id: scriptId }, { signal }) : null;
    const body = saved?.body ?? typed.body ?? '';
    const started = performance.now();
    const outcome = await this.#client.scriptTests.run({ id, body, coverage: true }, { signal });
    return { outcome, body, version: saved?.version ?? typed.version, savedAt, ms: performance.now() - started };
  }

  async #refresh(): Promise<void> {
    await this.#read().catch((error: unknown) => this.#set({ problem: problemOf(error).message }));
  }

  async #read(signal?: AbortSignal): Promise<void> {
    const all = await this.#client.scriptTests.list({}, signal ? { signal } : {});
    const there = new Set(all.map(({ id }) => id));
    const ran = new Map([...this.store.get().ran].filter(([id]) => there.has(id)));
    this.#set({ tests: Map.groupBy(all, ({ scriptId }) => scriptId), ran, problem: null });
  }

  #set(change: Partial<TestsState>): void {
    this.store.update((state) => ({ ...state, ...change }));
  }
}

/** Whether neither the test nor the script has changed since. */
export function isFresh(ran: RanTest, test: ScriptTest, text: TestedText): boolean {
  if (ran.savedAt !== test.savedAt) return false;
  return text.body === null ? ran.version !== null && ran.version === text.version : ran.body === text.body;
}

/** The state of the tests of a script; null if it has none. */
export function stateOfTests({ tests, ran }: TestsState, scriptId: number, text: TestedText): TestState | null {
  const own = tests?.get(scriptId) ?? [];
  if (own.length === 0) return null;
  const fresh = own.flatMap((test) => {
    const one = ran.get(test.id);
    return one && isFresh(one, test, text) ? [one] : [];
  });
  if (fresh.some(({ outcome }) => !outcome.passed)) return 'failed';
  return fresh.length === own.length ? 'passed' : 'not run';
}

/** What the tests of a script ran of this text; null if none has run with it. */
export function coverageOf({ tests, ran }: TestsState, scriptId: number | null, body: string): Coverage | null {
  const own = scriptId === null ? [] : (tests?.get(scriptId) ?? []);
  const all = own.flatMap(({ id }) => {
    const one = ran.get(id);
    return one?.body === body && one.outcome.coverage ? [one.outcome.coverage] : [];
  });
  return mergedCoverage(all);
}

/** The test with the outcome of a run as its expected results; the rest stays. */
export function expecting(
  test: ScriptTestText,
  report: RunReport,
  { events }: Pick<TestOutcome, 'events'>,
): ScriptTestText {
  const { expect } = testOfRun(test.name, test.context, report);
  const { writes, events: expected } = test.expect;
  return {
    ...test,
    expect: { ...expect, writes: writes === null ? null : expect.writes, events: expected === null ? null : events },
  };
}

/** A name for the test of a run: its result if that is short, otherwise its time. */
export function nameOfRun({ status, result, timing }: RunReport): string {
  const isShort = result === null || (typeof result !== 'object' && String(result).length <= 40);
  if (status === 'ok' && isShort && result !== '') return `the result is ${shownValue(result)}`;
  return `Run of ${moment(new Date(timing.startedAt))}`;
}

/** An empty test as a template. */
export const newTest = (name: string, context: RunContext): ScriptTestText => ({
  name,
  context,
  tags: [],
  mocks: [],
  expect: { status: 'ok', error: null, writes: null, events: null },
});
