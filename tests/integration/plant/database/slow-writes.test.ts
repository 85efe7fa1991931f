import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { DEFAULT_SCOPE } from '#domain/tag/scope';
import type { TagDefinition, TagValue, TagWrite } from '#domain/tag/tag';
import { connectInstance, type InstanceClient } from '../../../../src-main/host/instance-client.ts';
import type { WriteView } from '../../../../src-main/plant/tags/kinds/kind.ts';
import { NO_SCRIPTS } from '../../../../src-main/plant/tags/values/script-evaluator.ts';
import type { CommitStep } from '../../../../src-main/plant/tags/values/tag-transactions.ts';
import { seededRandom } from '../../../support/run/random.ts';
import { scaled } from '../../../support/run/scale.ts';
import { serve } from '../../../support/product/served-instance.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';
import { thrownBy } from '../../../support/thrown-by.ts';
import {
  dbTag,
  ENDLESS,
  HOURS,
  legalSelect,
  one,
  plainTag,
  plantWorkspace,
  runOf,
  runSql,
  scriptedKind,
  write,
} from './plant-workspace.ts';

const INSERT = 'INSERT INTO t VALUES (:value)';
const STEPS = ['intended', 'deciding', 'decided', 'finished'] as const;
/** Nothing of a Set is stored, in either file. */
const NOTHING = { rows: [], storage: null, erp: 0, intents: 0 };

/** Tags of both files. What a write of `Test.Act.Value` does is set with `onAct`, as a write script would do it. */
async function plant(onCommitStep: (step: CommitStep) => void = () => undefined) {
  let act: (view: WriteView) => Promise<unknown> = async () => undefined;
  const kinds = [scriptedKind({ onWrite: async (path, _value, view) => void (await act(view.within(path))) })];
  const made = await plantWorkspace('CREATE TABLE t (v)', { kinds, onCommitStep });
  const { tags, store, sql } = made;
  for (const definition of [
    dbTag('Db.T.Value', 'Int', { writeSql: INSERT }),
    dbTag('Db.Other.Value', 'Int', { writeSql: INSERT }),
    dbTag('Db.Slow.Value', 'Int', { writeSql: `INSERT INTO t ${legalSelect(':value')}` }),
    dbTag('Db.Endless.Value', 'Int', { writeSql: `INSERT INTO t ${ENDLESS} WHERE x > :value` }),
    plainTag('Plant.A.Value', 'storage', 'Int'),
    plainTag('Erp.Out.Record', 'erp', 'Json'),
    plainTag('Test.Act.Value', 'script', 'Json'),
  ]) {
    await tags.definitions.save(definition);
  }
  // The process that writes has started.
  await tags.session({ dryRun: true }).set([write('Db.T.Value', 0)], DEFAULT_SCOPE);
  const stored = async () => {
    // The intent of a Set of DB tags waits for the next one, unless the journal is read.
    await store.journal.flush();
    return {
      rows: sql('SELECT v FROM t ORDER BY v').map((row) => Number(Object.values(row as object)[0])),
      storage: (await one(tags, 'Plant.A.Value')).value,
      erp: store.outbox.count(),
      intents: store.intents.all().length,
    };
  };
  const onAct = (next: typeof act) => {
    act = next;
  };
  return { ...made, stored, onAct };
}

type Plant = Awaited<ReturnType<typeof plant>>;

/** Writes to both files. */
const inBothFiles = (n: number) => [write('Plant.A.Value', n), write('Erp.Out.Record', { n }), write('Db.T.Value', n)];

/** A Set of these items that is held open, after the items, until `release` is called. */
async function heldSet({ onAct }: Plant, set: (items: TagWrite[]) => Promise<unknown>, items: TagWrite[]) {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  onAct(() => {
    begun.resolve();
    return end.promise;
  });
  const ended = set([...items, write('Test.Act.Value', null)]).then(
    () => 'written',
    (thrown: unknown) => String(thrown),
  );
  await begun.promise;
  onAct(async () => undefined);
  return { ended, release: end.resolve };
}

/** Those who can have tags written, and then end. */
const CALLERS: [string, (plant: Plant, end: AbortController) => (items: TagWrite[]) => Promise<unknown>][] = [
  ['run', (made, end) => (items) => runOf(made, end).set(items, DEFAULT_SCOPE)],
  ['dry run', (made, end) => (items) => runOf(made, end, { dryRun: true }).set(items, DEFAULT_SCOPE)],
  ['client', (made, end) => (items) => made.tags.set({ items }, end.signal)],
];

describe('a Set that takes too long', () => {
  const TOO_LONG =
    'the DB tags of one Set, with its scripts, take at most 3,000 ms in total (6 × setting db.statementMs); ' +
    'write fewer in one Set, or raise the setting';

  test('is undone as a whole, and says why, what to do, and which tags were left', async () => {
    const made = await plant();
    made.settings['db.statementMs'] = 500;
    const slow = Array.from({ length: 2_000 }, (_, n) => write('Db.Slow.Value', n));
    const error = await thrownBy(() => made.tags.set({ items: [...inBothFiles(1), ...slow] }));
    expect(error.code).toBe('WRITE_REFUSED');
    expect(error.message).toMatch(
      /^Nothing was written: \d+ of 2003 items rejected: tags\[\d+\] "Db\.Slow\.Value": plant\.db: /,
    );
    expect(error.message).toContain(TOO_LONG);
    expect(await made.stored()).toEqual(NOTHING);
    made.settings['db.statementMs'] = HOURS;
    await made.tags.set({ items: inBothFiles(2) });
    expect(await made.stored()).toEqual({ rows: [2], storage: 2, erp: 1, intents: 0 });
  });

  test('does not hold plant.db any longer, even if its scripts go on', async () => {
    const made = await plant();
    made.settings['db.statementMs'] = 500;
    const { ended, release } = await heldSet(made, (items) => made.tags.set({ items }), inBothFiles(1));
    made.settings['db.statementMs'] = HOURS;
    await made.tags.set({ items: [write('Db.Other.Value', 2)] });
    release();
    expect(await ended).toContain(`"Db.T.Value": plant.db was not written: ${TOO_LONG}`);
    expect(await made.stored()).toEqual({ ...NOTHING, rows: [2] });
  });

  test('does not hold its tags any longer, even if its scripts go on', async () => {
    const made = await plant();
    made.settings['db.statementMs'] = 500;
    const { ended, release } = await heldSet(made, (items) => made.tags.set({ items }), inBothFiles(1));
    made.settings['db.statementMs'] = HOURS;
    await made.tags.set({ items: inBothFiles(2) });
    expect(await made.stored()).toEqual({ rows: [2], storage: 2, erp: 1, intents: 0 });
    release();
    expect(await ended).toContain(`"Db.T.Value": plant.db was not written: ${TOO_LONG}`);
    expect(await made.stored()).toEqual({ rows: [2], storage: 2, erp: 1, intents: 0 });
  });

  test('in a dry run that repeats its writes does not hold plant.db any longer', async () => {
    const made = await plant();
    made.settings['db.statementMs'] = 500;
    const session = made.tags.session({ dryRun: true });
    const items = Array.from({ length: 50 }, (_, n) => write('Db.Slow.Value', n));
    const sets = async () => {
      for (;;) await session.set(items, DEFAULT_SCOPE);
    };
    const error = await thrownBy(sets);
    expect(error.message).toContain(TOO_LONG);
    made.settings['db.statementMs'] = HOURS;
    await made.tags.set({ items: inBothFiles(2) });
    expect(await made.stored()).toEqual({ rows: [2], storage: 2, erp: 1, intents: 0 });
  });

  test('fails its reads too', async () => {
    const made = await plant();
    await made.tags.definitions.save(dbTag('Db.Slow.Read', 'Int', { readSql: legalSelect(1) }));
    made.settings['db.statementMs'] = 500;
    let value: TagValue | undefined;
    made.onAct(async (view) => {
      do [value] = await view.get(['Db.Slow.Read'], DEFAULT_SCOPE);
      while (value?.quality === 'Good');
    });
    const items = [...inBothFiles(1), write('Test.Act.Value', null)];
    expect((await thrownBy(() => made.tags.set({ items }))).message).toContain(TOO_LONG);
    expect(value).toMatchObject({ quality: 'BadTimeout', reason: TOO_LONG });
    expect(await made.stored()).toEqual(NOTHING);
  });
});

describe.each(CALLERS)('a Set of a %s that ends', (_caller, setBy) => {
  test('in the middle of a statement is undone, and the next Set is served', async () => {
    const made = await plant();
    made.settings['db.statementMs'] = HOURS;
    const end = new AbortController();
    const ended = thrownBy(() => setBy(made, end)([...inBothFiles(1), write('Db.Endless.Value', 0)]));
    await delay(300);
    const next = made.tags.set({ items: [write('Db.Other.Value', 2)] });
    await delay(100);
    end.abort();
    expect((await ended).code).toBe('CANCELLED');
    await next;
    expect(await made.stored()).toEqual({ ...NOTHING, rows: [2] });
  });

  test('between two statements is undone at once, even if its scripts go on', async () => {
    const made = await plant();
    made.settings['db.statementMs'] = HOURS;
    const end = new AbortController();
    const { ended, release } = await heldSet(made, setBy(made, end), inBothFiles(1));
    const next = made.tags.set({ items: [write('Db.Other.Value', 2)] });
    end.abort();
    await next;
    release();
    expect(await ended).toContain('has ended; nothing was written');
    expect(await made.stored()).toEqual({ ...NOTHING, rows: [2] });
  });

  test('while it waits for plant.db is dropped, and those after it are served', async () => {
    const made = await plant();
    made.settings['db.statementMs'] = HOURS;
    const set = (items: TagWrite[]) => made.tags.set({ items });
    const { ended: first, release } = await heldSet(made, set, inBothFiles(1));
    const end = new AbortController();
    const ended = thrownBy(() => setBy(made, end)([write('Db.Slow.Value', 2)]));
    const next = set([write('Db.Other.Value', 3)]);
    await delay(100);
    end.abort();
    expect((await ended).code).toBe('CANCELLED');
    release();
    expect(await first).toBe('written');
    await next;
    expect(await made.stored()).toEqual({ rows: [1, 3], storage: 1, erp: 1, intents: 0 });
  });
});

test.each(CALLERS.filter(([caller]) => caller !== 'dry run'))(
  'a Set of a %s that ends while it waits for a Set of the same tag is dropped',
  async (_caller, setBy) => {
    const made = await plant();
    const { tags } = made;
    const { ended, release } = await heldSet(made, (items) => tags.set({ items }), [write('Plant.A.Value', 1)]);
    const end = new AbortController();
    const waiting = thrownBy(() => setBy(made, end)([write('Plant.A.Value', 2)]));
    const next = tags.set({ items: [write('Plant.A.Value', 3)] });
    end.abort();
    expect((await waiting).code).toBe('CANCELLED');
    expect(await made.stored()).toEqual(NOTHING);
    release();
    expect(await ended).toBe('written');
    await next;
    expect(await made.stored()).toEqual({ ...NOTHING, storage: 3 });
  },
);

test('a Set that cannot begin does not wait again for each of its tags', async () => {
  const made = await plant();
  made.settings['db.statementMs'] = 2_000;
  const set = (items: TagWrite[]) => made.tags.set({ items });
  const { ended, release } = await heldSet(made, set, inBothFiles(1));
  // Waiting for each of them would take longer than the first Set may hold plant.db.
  const waiting = await thrownBy(() => set(Array.from({ length: 20 }, (_, n) => write('Db.Slow.Value', n))));
  expect(waiting.message).toContain('20 of 20 items rejected');
  expect(waiting.message).toContain('another write has held plant.db for more than 2,000 ms; try again');
  release();
  expect(await ended).toBe('written');
});

test('a nested Set whose run has ended stays a part of its Set', async () => {
  const made = await plant();
  const run = new AbortController();
  made.onAct(async (view) => {
    const inner = view.within('Test.Inner.Value', { ...NO_SCRIPTS, signal: run.signal });
    await inner.set([write('Db.T.Value', 1)], DEFAULT_SCOPE);
    run.abort();
  });
  await made.tags.set({ items: [write('Test.Act.Value', null), write('Db.T.Value', 2), write('Plant.A.Value', 2)] });
  expect(await made.stored()).toEqual({ ...NOTHING, rows: [1, 2], storage: 2 });
});

describe('a Set that is being decided', () => {
  test.each(STEPS)('is written although its client ends when it is %s', async (at) => {
    const end = new AbortController();
    const made = await plant((step) => {
      if (step === at) end.abort();
    });
    await made.tags.set({ items: inBothFiles(1) }, end.signal);
    expect(end.signal.aborted).toBe(true);
    expect(await made.stored()).toEqual({ rows: [1], storage: 1, erp: 1, intents: 0 });
  });

  test('is in both files or in none, whenever its client ends', async () => {
    const random = seededRandom();
    const made = await plant();
    const written: number[] = [];
    for (let n = 1; n <= scaled(40, 400); n += 1) {
      const end = new AbortController();
      const set = made.tags.set({ items: inBothFiles(n) }, end.signal).then(
        () => written.push(n),
        () => undefined,
      );
      // On an idle machine, a Set takes about 4 ms.
      await delay(random() * 8);
      end.abort();
      await set;
      expect(await made.stored()).toEqual({
        rows: written,
        storage: written.at(-1) ?? null,
        erp: written.length,
        intents: 0,
      });
    }
  });
});

describe('plant.db is free again after the connection of a client ends', () => {
  const SCRIPTS: Record<string, string> = {
    Read: `TagValueManager.Set([{ tag: 'Db.Endless.Value', value: 0 }]); return 1;`,
    Write: `TagValueManager.Set([{ tag: 'Db.Endless.Value', value: 0 }]);`,
  };

  test.each<[string, (client: InstanceClient) => Promise<unknown>]>([
    ['a Set', (client) => client.tags.set({ items: [write('Db.Endless.Value', 0)] })],
    ['a Set of a script tag', (client) => client.tags.set({ items: [write('Test.Script.Value', 0)] })],
    ['a Get of a script tag that writes', (client) => client.tags.get({ paths: ['Test.Script.Value'] })],
    [
      'a watch of a script tag that writes',
      async (client) => (await client.tags.watch({ paths: ['Test.Script.Value'] })).next(),
    ],
    [
      'a run',
      (client) => {
        const context = { tagName: 'Test.Run.Value', tagScopeDiagram: null, tagScopeLocation: null };
        return client.runs.execute({ body: SCRIPTS['Write'] ?? '', context, dryRun: false });
      },
    ],
    [
      'a trial of SQL',
      (client) => client.db.try({ sql: `INSERT INTO t ${ENDLESS} WHERE x > :value`, mode: 'write', value: 0 }),
    ],
  ])('that waits for %s', async (_call, call) => {
    const workspace = join(temporaryFolder(), 'workspace');
    const instance = await serve(workspace);
    const client = await instance.client();
    runSql(join(workspace, 'plant.db'), 'CREATE TABLE t (v)');
    await client.settings.update({ 'db.statementMs': 600_000 });
    for (const [name, body] of Object.entries(SCRIPTS)) {
      await client.scripts.save({ group: 'Test', name, description: '', body });
    }
    const script: TagDefinition = {
      ...plainTag('Test.Script.Value', 'script', 'Json'),
      settings: { readScript: 'Test/Read', writeScript: 'Test/Write' },
    };
    await client.tags.save(dbTag('Db.T.Value', 'Int', { writeSql: INSERT }));
    await client.tags.save(dbTag('Db.Endless.Value', 'Int', { writeSql: `INSERT INTO t ${ENDLESS} WHERE x > :value` }));
    await client.tags.save(script);
    const other = await connectInstance(instance.address());
    call(other.client).catch(() => undefined);
    await delay(1_500);
    const next = client.tags.set({ items: [write('Db.T.Value', 2)] });
    await delay(100);
    other.close();
    await next;
    expect(runSql(join(workspace, 'plant.db'), 'SELECT v FROM t')).toEqual([{ v: 2 }]);
  });
});
