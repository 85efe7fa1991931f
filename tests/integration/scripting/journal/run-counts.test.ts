import { expect, test } from 'vitest';
import type { JournalEntry, RunOrigin } from '#domain/run/journal';
import type { RunReport } from '#domain/run/run';
import type { NestedScript } from '#domain/run/script-evaluator';
import type { Json } from '#domain/text/json';
import { RunCounts } from '../../../../src-main/scripting/journal/run-counts.ts';
import { WhyLines } from '../../../../src-main/scripting/journal/why-lines.ts';
import { RunJournal } from '../../../../src-main/scripting/journal/run-journal.ts';
import type { ScriptOutcome } from '../../../../src-main/scripting/sandbox/script-run.ts';
import { JournalReader } from '../../../../src-main/storage/journal/journal-reader.ts';
import type { WorkspaceStore } from '../../../../src-main/storage/workspace/workspace-store.ts';
import { openStore } from '../../../support/services/open-store.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 0, 1, 10);
const SCRIPT = { name: 'Line/Level', version: 3 };
const DIAGRAM = { tagScopeDiagram: null, tagScopeLocation: null };

const ofTag = (tagName: string, more: Partial<NestedScript> = {}): NestedScript => ({
  chain: [tagName],
  sort: 'tag',
  body: 'return 1',
  context: { tagName, ...DIAGRAM },
  origin: { script: SCRIPT, cause: { by: 'read', of: 'watch' } },
  calls: () => ({ get: () => [], set: () => ({ values: [], before: [] }) }),
  ...more,
});
const ofRule = (body = 'average > 1'): NestedScript =>
  ofTag('Rule.Level.Condition', {
    sort: 'calculations',
    body,
    origin: { script: null, rule: { id: 7, name: 'Level' }, cause: { by: 'rule' } },
  });

interface End {
  result?: Json;
  status?: ScriptOutcome['status'];
  ms?: number;
  isStored?: boolean;
}

/** Counts runs whose ends are given, in a workspace whose clock is. */
function opened(folder = temporaryFolder()) {
  const time = { now: START };
  const clock = { now: () => time.now, iso: () => new Date(time.now).toISOString() };
  const store = openStore(folder, { clock });
  const runs = new RunJournal(store.journal);
  const reader = new JournalReader(store.database);
  let end: End = {};
  const begun = (script: NestedScript): RunOrigin => ({
    ...store.journal.begin({
      script: script.origin?.script ?? null,
      tag: script.context.tagName,
      diagram: '',
      location: '',
      access: script.origin?.rule ? 'condition' : 'read',
      cause: script.origin?.cause ?? { by: 'read' },
    }),
    isStored: end.isStored ?? false,
  });
  const outcome = (): ScriptOutcome => {
    const { status = 'ok', result = null, ms = 1 } = end;
    const timing = { startedAt: '', queuedMs: 0, scriptMs: ms, hostCallMs: 0, totalMs: ms };
    return { status, result, error: null, console: [], consoleDropped: 0, timing };
  };
  const counts = new RunCounts({
    ...store,
    reader,
    runs,
    sample: async (script) => {
      const origin = begun(script);
      const { consoleDropped: _, ...ended } = outcome();
      const dropped = { console: 0, reads: 0, writes: 0 };
      const report: RunReport = { ...ended, reads: [], writes: [], apiCalls: [], dropped, dryRun: false };
      return { report, origin, isFull: true, keep: async () => runs.keep(origin, '{}') };
    },
  });
  /** One run; whether it was recorded. */
  const run = async (script: NestedScript, given: End = {}): Promise<boolean> => {
    end = given;
    const tally = counts.of(script);
    const isRecorded = tally?.isDue ?? false;
    if (isRecorded) await tally?.record(script);
    else tally?.ended(outcome(), script.origin?.rule ? null : begun(script));
    return isRecorded;
  };
  const close = async () => {
    await counts.close();
    await runs.close();
    store.close();
  };
  return { store, reader, counts, run, time, close };
}

const all = (reader: JournalReader): JournalEntry[] => [...reader.newest()].toReversed();
const countsIn = (reader: JournalReader) =>
  all(reader).flatMap((entry) => (entry.kind === 'count' ? [entry.count] : []));

function withTags(store: WorkspaceStore, paths: readonly string[]): void {
  const add = store.database.prepare(
    `INSERT INTO tags (path, kind, type, description, unit, settings) VALUES (?, 'script', 'Double', '', '', '{}')`,
  );
  for (const path of paths) add.run(path);
}

test('runs of an hour share an entry, which has one of them as a sample', async () => {
  const { store, reader, counts, run, time, close } = opened();
  withTags(store, ['Line.A', 'Line.B']);
  const recorded: boolean[] = [];
  for (let n = 0; n < 10; n += 1) {
    recorded.push(await run(ofTag('Line.A'), { ms: n }));
    time.now += 1_000;
    if (n % 3 === 0) await counts.flush();
  }
  await run(ofTag('Line.B'));
  await counts.flush();
  expect(recorded).toEqual([true, ...Array<boolean>(9).fill(false)]);
  const [first, ...others] = countsIn(reader);
  const [from, to] = [START, START + 9_000];
  expect(first).toMatchObject({ script: SCRIPT, runs: 10, failed: 0, from, to, totalMs: 45, longestMs: 9 });
  expect(reader.run(first?.sample ?? 0)).toMatchObject({ isFull: true, tag: 'Line.A', access: 'read' });
  const lines = all(reader).map((entry) => new WhyLines(reader).lineOf(entry, 0));
  expect(lines[0]).toMatchObject({ at: new Date(to).toISOString(), count: { to: new Date(to).toISOString() } });
  expect(others).toMatchObject([{ runs: 1 }]);
  expect(reader.runs(Number.MAX_SAFE_INTEGER, 100)).toHaveLength(2);
  const tagId = reader.tagId('Line.A') ?? 0;
  expect([...reader.about({ kind: 'count', of: `tag ${tagId}` })]).toHaveLength(1);
  expect([...reader.about({ kind: 'tag', tagId, counts: true })]).toHaveLength(1);
  expect([...reader.about({ kind: 'tag', tagId })]).toEqual([]);
  await close();
});

test('counts are found in ended blocks, and continue there', async () => {
  const { store, reader, counts, run, close } = opened();
  withTags(store, ['Line.A']);
  await run(ofTag('Line.A'));
  await run(ofRule(), { result: [false] });
  await counts.flush();
  const scope = { diagram: '', location: '' };
  const write = { before: 0, written: { value: 'x'.repeat(1_000) } };
  await store.commits.run(() => {
    for (let n = 0; n < 100; n += 1)
      store.journal.wrote([{ tag: { id: 90 + n }, write, scope, cause: { by: 'person' } }]);
  });
  expect(store.journal.blocks.bytes).toBeGreaterThan(0);
  await run(ofTag('Line.A'));
  await counts.flush();
  const of = (name: string) => [...reader.about({ kind: 'count', of: name })];
  expect(of(`tag ${reader.tagId('Line.A')}`)).toMatchObject([{ count: { runs: 2 } }]);
  expect(of('condition 7')).toMatchObject([{ count: { runs: 1 } }]);
  expect(of('condition 90')).toEqual([]);
  await close();
});

test('callers, versions and hours have entries of their own', async () => {
  const { store, reader, run, time, counts, close } = opened();
  withTags(store, ['Line.A']);
  const version = { script: { ...SCRIPT, version: 4 }, cause: { by: 'read', of: 'watch' } } as const;
  const rule = { script: SCRIPT, cause: { by: 'read', of: 'rule' } } as const;
  const scripts = [ofTag('Line.A'), ofTag('Line.A', { origin: rule }), ofTag('Line.A', { origin: version })];
  for (const script of [...scripts, ofRule(), ofRule('average > 2')]) {
    const result = [false];
    expect([await run(script, { result }), await run(script, { result })]).toEqual([true, false]);
  }
  time.now += HOUR_MS;
  expect(await run(ofTag('Line.A', { origin: version }))).toBe(true);
  await counts.flush();
  expect(countsIn(reader).map(({ runs }) => runs)).toEqual([2, 2, 2, 2, 2, 1]);
  await close();
});

test('runs that changed something or failed are entries, and are not counted', async () => {
  const { store, reader, counts, run, close } = opened();
  withTags(store, ['Line.A']);
  expect(await run(ofTag('Line.A'), { isStored: true })).toBe(true);
  await run(ofRule(), { result: [true, false] });
  await run(ofTag('Line.A'), { status: 'cancelled' });
  await counts.flush();
  // Of these runs, only the one whose change has stored it.
  const changing = reader.runs(Number.MAX_SAFE_INTEGER, 100);
  expect([countsIn(reader), changing]).toEqual([[], [expect.objectContaining({ tag: 'Line.A' })]]);
  for (let n = 0; n < 40; n += 1) await run(ofTag('Line.A'), { status: 'error' });
  await counts.flush();
  const kept = reader.runs(Number.MAX_SAFE_INTEGER, 100).filter(({ id }) => id !== changing[0]?.id);
  const [count] = countsIn(reader);
  expect(count).toMatchObject({ runs: 0, sample: null });
  expect(kept.length + (count?.failed ?? 0)).toBe(40);
  // The run after a failed one is recorded.
  expect(kept.filter(({ isFull }) => isFull).length).toBeGreaterThan(0);
  await close();
});

test('a restart continues the entry of the hour', async () => {
  const folder = temporaryFolder();
  for (const isFirst of [true, false]) {
    const { store, run, close, reader, counts } = opened(folder);
    if (isFirst) withTags(store, ['Line.A']);
    expect([await run(ofTag('Line.A')), await run(ofRule(), { result: [false] })]).toEqual([isFirst, isFirst]);
    await counts.flush();
    expect(countsIn(reader).map(({ runs }) => runs)).toEqual(isFirst ? [1, 1] : [2, 2]);
    await close();
  }
});

test('a cleared journal has only the counts that follow; an old one none', async () => {
  const { store, reader, counts, run, close } = opened();
  withTags(store, ['Line.A']);
  await run(ofTag('Line.A'));
  await counts.flush();
  await store.commits.run(() => store.journal.clear());
  counts.forget();
  expect(countsIn(reader)).toEqual([]);
  await run(ofTag('Line.A'));
  await counts.flush();
  expect(countsIn(reader)).toMatchObject([{ runs: 1 }]);
  store.journal.enabled = false;
  expect([counts.of(ofTag('Line.A')), counts.of(ofRule())]).toEqual([null, null]);
  await close();
});

test('many scripts take turns to be recorded', async () => {
  const { store, run, time, close } = opened();
  const paths = Array.from({ length: 250 }, (_, n) => `Line.T${n}`);
  withTags(store, paths);
  const recorded = new Set<string>();
  for (let hour = 0; hour < 5; hour += 1) {
    let most = 0;
    for (const path of paths) {
      if (!(await run(ofTag(path)))) continue;
      recorded.add(path);
      most += 1;
    }
    expect(most).toBeLessThanOrEqual(50);
    time.now += HOUR_MS;
  }
  expect(recorded.size).toBe(250);
  await close();
});

test('a clock that jumps by hours or years: each hour has its count and its sample', async () => {
  const { store, reader, run, time, counts, close } = opened();
  withTags(store, ['Line.A']);
  for (const hours of [0, 8_760, 1, -1, -8_760]) {
    time.now = START + hours * HOUR_MS;
    expect([hours, await run(ofTag('Line.A')), await run(ofTag('Line.A'))]).toEqual([hours, true, false]);
    await counts.flush();
  }
  expect(countsIn(reader).map(({ runs, from, to }) => [runs, to - from])).toEqual(
    Array.from({ length: 5 }, () => [2, 0]),
  );
  await close();
});

test('runs of persons, and scripts that have no entry, are not counted', async () => {
  const { counts, close } = opened();
  expect(counts.of(ofTag('Line.A', { origin: { script: SCRIPT, cause: { by: 'person' } } }))).toBeNull();
  const { origin: _, ...expression } = ofTag('Line.A');
  expect(counts.of(expression)).toBeNull();
  await close();
});
