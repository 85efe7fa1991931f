import { isDeepStrictEqual } from 'node:util';
import { scriptTestText } from '#contract/texts/script-test-text';
import type { MockRoute } from '#domain/mock/mock';
import { nameKey } from '#domain/text/name-key';
import type { Rule } from '#domain/rule/rule';
import type { ScriptTest, ScriptTestText, TestOutcome } from '#domain/run/script-test';
import { TEST_LIMITS } from '#domain/run/script-test';
import type { Clock } from '../../platform/clock.ts';
import { TagwrightError } from '../../platform/errors.ts';
import { Listeners } from '../../platform/events.ts';
import type { ApiCaller, RunDebugging, RunTree } from '../runs/run-tree.ts';
import type { CommitQueue } from '../../storage/commit-queue.ts';
import type { ScriptTestRepository, ScriptTestRow } from '../../storage/repositories/script-test-repository.ts';
import type { TestTags } from './run-test.ts';
import { runTest } from './run-test.ts';

export interface ScriptTestParts {
  store: { scriptTests: ScriptTestRepository; commits: CommitQueue; clock: Clock };
  /** Throws NOT_FOUND if the script does not exist. */
  scripts: { get(which: { id: number }): { group: string; name: string; body: string } };
  tree: RunTree;
  tags: TestTags;
  rules: { list(): Rule[] };
  /** API calls get responses only from these mocks, then from those of the workspace. */
  mocked(mocks: readonly MockRoute[]): ApiCaller;
}

type ScriptTestSave = ScriptTestText & { scriptId: number; id?: number | undefined };

/** The tests of scripts. Methods are named after the procedures of the contract. */
export class ScriptTestService {
  readonly #parts: ScriptTestParts;
  readonly #changes = new Listeners<{ scriptId: number }>();

  constructor(parts: ScriptTestParts) {
    this.#parts = parts;
  }

  /** Called after a test was saved or deleted; the returned function removes the listener. */
  onChange(listener: (change: { scriptId: number }) => void): () => void {
    return this.#changes.add(listener);
  }

  close(): void {
    this.#changes.clear();
  }

  /** The tests of one script, or of all that are not deleted, in order of creation. */
  list({ scriptId }: { scriptId?: number | undefined } = {}): ScriptTest[] {
    return this.#parts.store.scriptTests.list(scriptId ?? null).map(testOf);
  }

  /** Throws NOT_FOUND, CONFLICT if the script has a test with that name, or BAD_REQUEST if it has too many. */
  async save({ id, scriptId, ...text }: ScriptTestSave): Promise<ScriptTest> {
    const { store, scripts } = this.#parts;
    const { name } = scripts.get({ id: scriptId });
    const before = id === undefined ? null : this.#test(id);
    const { name: testName, ...test } = text;
    const row = { name: testName, nameKey: nameKey(testName), test: JSON.stringify(test), savedAt: store.clock.iso() };
    const saved = await store.commits.run(() => {
      if (before) this.#test(before.id);
      const others = store.scriptTests.list(scriptId).filter((other) => other.id !== id);
      if (others.some((other) => other.nameKey === row.nameKey)) {
        throw new TagwrightError('CONFLICT', `"${name}" already has a test named "${testName}". Choose another name.`);
      }
      if (!before && others.length >= TEST_LIMITS.tests) {
        throw new TagwrightError('BAD_REQUEST', `A script has at most ${TEST_LIMITS.tests} tests. Delete some first.`);
      }
      if (!before) return store.scriptTests.insert({ ...row, scriptId });
      store.scriptTests.update({ ...row, id: before.id });
      return before.id;
    });
    this.#changes.emit({ scriptId });
    return { ...text, id: saved, scriptId: before?.scriptId ?? scriptId, savedAt: row.savedAt };
  }

  /** Throws NOT_FOUND. */
  async delete({ id }: { id: number }): Promise<void> {
    const { store } = this.#parts;
    const { scriptId } = this.#test(id);
    await store.commits.run(() => store.scriptTests.delete(id));
    this.#changes.emit({ scriptId });
  }

  /** The script and the context of a test. Throws NOT_FOUND. */
  subject(id: number): Pick<ScriptTest, 'scriptId' | 'context'> {
    return this.#test(id);
  }

  /**
   * Saves the tests that `change` changes, inside a job of the commit queue. Returns these tests; listeners are notified
   * after the commit.
   */
  rewrite(change: (test: ScriptTest) => ScriptTest): ScriptTest[] {
    const { scriptTests, commits, clock } = this.#parts.store;
    const changed = this.list().flatMap((test): ScriptTest[] => {
      const rewritten = change(test);
      if (isDeepStrictEqual(rewritten, test)) return [];
      const { id, scriptId: _script, savedAt: _at, name, ...text } = rewritten;
      scriptTests.update({ id, name, nameKey: nameKey(name), test: JSON.stringify(text), savedAt: clock.iso() });
      return [rewritten];
    });
    commits.afterCommit(() => {
      for (const scriptId of new Set(changed.map((test) => test.scriptId))) this.#changes.emit({ scriptId });
    });
    return changed;
  }

  /** Runs a test; aborting the signal cancels the run. Throws NOT_FOUND, or UNAVAILABLE without a script host. */
  async run(
    { id, body, coverage = false }: { id: number; body?: string | undefined; coverage?: boolean | undefined },
    signal?: AbortSignal,
    debugging?: RunDebugging,
  ): Promise<TestOutcome> {
    const { store, scripts, tree, tags, rules } = this.#parts;
    const test = this.#test(id);
    const api = this.#parts.mocked(test.mocks);
    return runTest(
      body ?? scripts.get({ id: test.scriptId }).body,
      test,
      { tree, tags, rules: rules.list(), api, now: store.clock.now(), coverage, debugging },
      signal,
    );
  }

  #test(id: number): ScriptTest {
    const row = this.#parts.store.scriptTests.get(id);
    if (row) return testOf(row);
    const message = `Test ${id} does not exist; it may have been deleted. The tab Tests of its script lists its tests.`;
    throw new TagwrightError('NOT_FOUND', message);
  }
}

function testOf({ id, scriptId, name, test, savedAt }: ScriptTestRow): ScriptTest {
  const stored: unknown = JSON.parse(test);
  const text = scriptTestText().parse({ ...(typeof stored === 'object' ? stored : {}), name });
  return { ...text, id, scriptId, savedAt };
}
