import { scriptTestText } from '#contract/script-tests';
import type { MockRoute } from '#domain/mock/mock';
import { nameKey } from '#domain/text/name-key';
import type { Rule } from '#domain/rule/rule';
import type { ScriptTest, ScriptTestText, TestOutcome } from '#domain/run/script-test';
import { TEST_LIMITS } from '#domain/run/script-test';
import type { Clock } from '../../platform/clock.ts';
import { TagwrightError } from '../../platform/errors.ts';
import { Listeners } from '../../platform/events.ts';
import type { ApiCaller, RunTree } from '../runs/run-tree.ts';
import type { CommitQueue } from '../../storage/commit-queue.ts';
import type { ScriptTestRepository, ScriptTestRow } from '../../storage/repositories/script-test-repository.ts';
import type { TestTags } from './run-test.ts';
import { runTest } from './run-test.ts';

export interface ScriptTestParts {
  store: { scriptTests: ScriptTestRepository; commits: CommitQueue; clock: Clock };
  /** Throws NOT_FOUND for a script that there is not. */
  scripts: { get(which: { id: number }): { group: string; name: string; body: string } };
  tree: RunTree;
  tags: TestTags;
  rules: { list(): Rule[] };
  /** API calls answered by these mocks, then by those of the workspace, and by nothing else. */
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

  /** Called after a test was saved or deleted; the function returned removes the listener. */
  onChange(listener: (change: { scriptId: number }) => void): () => void {
    return this.#changes.add(listener);
  }

  close(): void {
    this.#changes.clear();
  }

  /** Those of one script, or of all that are not deleted; in order of their making. */
  list({ scriptId }: { scriptId?: number | undefined } = {}): ScriptTest[] {
    return this.#parts.store.scriptTests.list(scriptId ?? null).map(testOf);
  }

  /** Throws NOT_FOUND, CONFLICT for a name that the script's tests have, or BAD_REQUEST when they are too many. */
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
        throw new TagwrightError('CONFLICT', `"${name}" has a test named "${testName}" already. Choose another name.`);
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

  /** Runs a test; an abort of the signal cancels the run. Throws NOT_FOUND, or UNAVAILABLE without a script host. */
  async run({ id, body }: { id: number; body?: string | undefined }, signal?: AbortSignal): Promise<TestOutcome> {
    const { store, scripts, tree, tags, rules } = this.#parts;
    const test = this.#test(id);
    const api = this.#parts.mocked(test.mocks);
    return runTest(
      body ?? scripts.get({ id: test.scriptId }).body,
      test,
      { tree, tags, rules: rules.list(), api, now: store.clock.now() },
      signal,
    );
  }

  #test(id: number): ScriptTest {
    const row = this.#parts.store.scriptTests.get(id);
    if (row) return testOf(row);
    throw new TagwrightError('NOT_FOUND', `There is no test ${id}; it may have been deleted meanwhile.`);
  }
}

function testOf({ id, scriptId, name, test, savedAt }: ScriptTestRow): ScriptTest {
  const stored: unknown = JSON.parse(test);
  const text = scriptTestText.parse({ ...(typeof stored === 'object' ? stored : {}), name });
  return { ...text, id, scriptId, savedAt };
}
