import type { ScriptTest, ScriptTestText, TestOutcome } from '#domain/run/script-test';
import { testOfRun } from '#domain/run/script-test';
import { nameKey } from '#domain/text/name-key';
import type { RunContext, RunReport } from '#domain/run/run';
import type { Client } from '../../../client/client.ts';
import { problemOf } from '../../../client/errors.ts';
import { stayCurrent } from '../../../client/stay-current.ts';
import { Store } from '../../../support/store.ts';

/** The result of a test, and the body that it ran. */
export interface RanTest {
  outcome: TestOutcome;
  body: string;
  ms: number;
}

export interface TestsState {
  /** Null until they are loaded. */
  tests: readonly ScriptTest[] | null;
  ran: ReadonlyMap<number, RanTest>;
  /** The test that is running. */
  running: number | null;
  /** Why they can't be loaded or run. */
  problem: string | null;
}

/** The members that are omitted when a test is shown and saved. */
export const textOfTest = ({ id: _id, scriptId: _script, savedAt: _at, ...text }: ScriptTest): ScriptTestText => text;

/** The tests of one script. */
export class ScriptTests {
  readonly store = new Store<TestsState>({ tests: null, ran: new Map(), running: null, problem: null });
  readonly scriptId: number;
  readonly #client: Pick<Client, 'scriptTests'>;
  #cancel: AbortController | null = null;

  constructor(client: Pick<Client, 'scriptTests'>, scriptId: number) {
    this.#client = client;
    this.scriptId = scriptId;
  }

  /** Loads the tests, and reloads them whenever they change, until the signal aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    const { scriptTests } = this.#client;
    await stayCurrent(
      {
        changes: [(ended) => scriptTests.changes(undefined, { signal: ended })],
        read: (ended) => this.#read(ended),
        apply: ({ scriptId }) => scriptId !== this.scriptId,
        failed: ({ message }) => this.#set({ problem: message }),
      },
      signal,
    );
  }

  /** Runs tests one at a time on a body, until one can't be run or `cancel` is called. */
  async run(ids: readonly number[], body: string): Promise<void> {
    if (this.#cancel) return;
    const cancel = new AbortController();
    this.#cancel = cancel;
    try {
      for (const id of ids) {
        this.#set({ running: id, problem: null });
        const started = performance.now();
        const outcome = await this.#client.scriptTests.run({ id, body }, { signal: cancel.signal });
        if (cancel.signal.aborted) break;
        const ms = performance.now() - started;
        this.#set({ ran: new Map(this.store.get().ran).set(id, { outcome, body, ms }) });
      }
    } catch (error) {
      if (!cancel.signal.aborted) this.#set({ problem: problemOf(error).message });
    } finally {
      this.#cancel = null;
      this.#set({ running: null });
    }
  }

  cancel(): void {
    this.#cancel?.abort();
  }

  /** Rejects with the errors of the contract; the list follows automatically. */
  async save(text: ScriptTestText, id?: number): Promise<ScriptTest> {
    const saved = await this.#client.scriptTests.save({
      ...text,
      scriptId: this.scriptId,
      ...(id !== undefined && { id }),
    });
    if (id !== undefined) {
      const ran = new Map(this.store.get().ran);
      ran.delete(id);
      this.#set({ ran });
    }
    await this.#refresh();
    return saved;
  }

  async delete(id: number): Promise<void> {
    await this.#client.scriptTests.delete({ id });
    await this.#refresh();
  }

  /** A name that no test has. */
  freeName(wish: string): string {
    const taken = new Set((this.store.get().tests ?? []).map(({ name }) => nameKey(name)));
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? wish : `${wish} ${count}`;
      if (!taken.has(nameKey(name))) return name;
    }
  }

  async #refresh(): Promise<void> {
    await this.#read().catch((error: unknown) => this.#set({ problem: problemOf(error).message }));
  }

  async #read(signal?: AbortSignal): Promise<void> {
    const tests = await this.#client.scriptTests.list({ scriptId: this.scriptId }, signal ? { signal } : {});
    const there = new Set(tests.map(({ id }) => id));
    const ran = new Map([...this.store.get().ran].filter(([id]) => there.has(id)));
    this.#set({ tests, ran, problem: null });
  }

  #set(change: Partial<TestsState>): void {
    this.store.update((state) => ({ ...state, ...change }));
  }
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

/** An empty test as a template. */
export const newTest = (name: string, context: RunContext): ScriptTestText => ({
  name,
  context,
  tags: [],
  mocks: [],
  expect: { status: 'ok', error: null, writes: null, events: null },
});
