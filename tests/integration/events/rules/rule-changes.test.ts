import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ResultTables } from '../../../../src-main/storage/events/result-tables.ts';
import { openPlant, output, rowsOf, ruleText, withTags, write } from './plant.ts';

const MANUAL = { window: { kind: 'manual' } } as const;

describe('rules saved concurrently', () => {
  test('a save based on an outdated rule is rejected, even if concurrent', async () => {
    const plant = openPlant();
    await withTags(plant);
    const { id, savedAt, resultTable: _table, ...text } = await plant.rules.save(ruleText('A'));
    const saves = await Promise.allSettled(
      ['mine', 'yours'].map((description) => plant.rules.save({ ...text, id, description, baseSavedAt: savedAt })),
    );
    expect(saves.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    const stored = plant.rules.get({ id });
    expect(stored.description).toBe('mine');
    expect(saves[1]).toMatchObject({ reason: { code: 'CONFLICT', data: { current: stored.savedAt } } });
    expect(stored.savedAt > savedAt).toBe(true);
    // A change without a base replaces any version.
    await plant.rules.save({ ...text, id, description: 'last' });
    expect(plant.rules.get({ id }).description).toBe('last');
  });

  test('a rule saved and deleted at once is deleted; a new name is assigned once', async () => {
    const plant = openPlant();
    await withTags(plant);
    const rule = await plant.rules.save(ruleText('A'));
    const [gone, saved] = await Promise.allSettled([
      plant.rules.delete({ id: rule.id, rows: 'keep' }),
      plant.rules.save({ ...ruleText('A'), id: rule.id }),
    ]);
    expect(gone.status).toBe('fulfilled');
    expect(saved).toMatchObject({ status: 'rejected', reason: { code: 'NOT_FOUND' } });
    expect(plant.rules.list()).toEqual([]);

    const made = await Promise.allSettled([plant.rules.save(ruleText('B')), plant.rules.save(ruleText('b'))]);
    expect(made).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: { code: 'CONFLICT' } }]);
    expect(plant.rules.list()).toHaveLength(1);
  });

  test('of two concurrent changes of its windows, the rule uses the last', async () => {
    const plant = openPlant();
    await withTags(plant);
    const rule = await plant.rules.save(ruleText('A', { window: { kind: 'count', samples: 1_000 } }));
    await Promise.all([
      plant.rules.save({ ...ruleText('A', MANUAL), id: rule.id }),
      plant.rules.save({ ...ruleText('A', { window: { kind: 'count', samples: 2 } }), id: rule.id }),
    ]);
    await pause(50);
    await write(plant, 1, 2);
    await expect.poll(() => rowsOf(plant, 'A')).toMatchObject([{ samples: 2, sum: 3 }]);
  });
});

test.each(['disabled', 'deleted'])('a rule no longer fires once it is %s', async (change) => {
  const plant = openPlant();
  await withTags(plant);
  for (const turns of Array(8).keys()) {
    const name = `Rule ${turns}`;
    const rule = await plant.rules.save(ruleText(name, { window: { kind: 'count', samples: 1 } }));
    const writing = write(plant, turns);
    // Its window may be in any stage: not closed, being stored, or stored.
    for (let left = turns; left > 0; left -= 1) await turn();
    await (change === 'disabled'
      ? plant.rules.save({ ...rule, enabled: false })
      : plant.rules.delete({ id: rule.id, rows: 'keep' }));
    const fired = plant.events.counts();
    await writing;
    await pause(20);
    expect(await plant.events.counts()).toEqual(await fired);
  }
});

describe('a deleted rule', () => {
  test('is restored with its id, its table and its rows, and continues to fire', async () => {
    const plant = openPlant();
    await withTags(plant);
    await write(plant, 2);
    const rule = await plant.rules.save(ruleText('A', MANUAL));
    await plant.rules.fire({ id: rule.id, times: 3 });
    await plant.rules.delete({ id: rule.id, rows: 'keep' });
    const restored = await plant.rules.restore({ id: rule.id });
    expect(restored).toEqual({ ...rule, savedAt: restored.savedAt });
    expect(plant.rules.list()).toEqual([restored]);
    expect(await plant.rules.fire({ id: rule.id })).toMatchObject({ firstRow: 4, firstEvent: 4 });
    expect(plant.store.rules.all()).toMatchObject([{ id: rule.id, enabled: 1 }]);
    // A second request finds it restored.
    expect(await plant.rules.restore({ id: rule.id })).toEqual(restored);
  });

  test('is rejected if another rule has its name, or if it never existed', async () => {
    const plant = openPlant();
    await withTags(plant);
    const rule = await plant.rules.save(ruleText('A'));
    await plant.rules.delete({ id: rule.id, rows: 'keep' });
    await plant.rules.save(ruleText('a'));
    await expect(plant.rules.restore({ id: rule.id })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(plant.rules.restore({ id: 77 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('keeps rows that are not yet dropped, and every event keeps its row', async () => {
    const plant = openPlant();
    await withTags(plant);
    await write(plant, 2);
    const rule = await plant.rules.save(ruleText('A', MANUAL));
    await plant.rules.fire({ id: rule.id, times: 2_500 });
    const [, restored] = await Promise.all([
      plant.rules.delete({ id: rule.id, rows: 'drop' }),
      plant.rules.restore({ id: rule.id }),
    ]);
    await expect.poll(() => plant.rules.list()).toEqual([restored]);
    // The background work ends, whatever it encounters.
    await expect.poll(() => plant.store.rules.toDrop()).toEqual([]);
    const { fired } = await plant.rules.fire({ id: rule.id, times: 2 });
    expect(fired).toBe(2);
    const rows = new Set(rowsOf(plant, 'A').map((row) => row['id']));
    const events = plant.events.page({ limit: 10_000, ruleId: rule.id });
    expect(events.filter(({ ResultTableRecordId: id }) => !rows.has(id))).toEqual([]);
    expect(plant.faults).toEqual([]);
  });
});

test.each(['keep', 'drop'] as const)(
  'a rule deleted (rows: %s) during manual firing stops; no event loses its row',
  async (rows) => {
    const plant = openPlant();
    await withTags(plant);
    await write(plant, 2);
    const rule = await plant.rules.save(ruleText('A', MANUAL));
    const firing = plant.rules.fire({ id: rule.id, times: 1_000_000 });
    // Its rejection is checked below.
    firing.catch(() => undefined);
    await expect.poll(() => plant.events.page({ limit: 1 }).length).toBe(1);
    await plant.rules.delete({ id: rule.id, rows });
    await expect(firing).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const counted = plant.store.results.count(rule.resultTable);
    await expect.poll(() => plant.store.rules.toDrop()).toEqual([]);
    const events = plant.events.page({ limit: 1_000_000, ruleId: rule.id });
    if (rows === 'drop') {
      expect(plant.store.results.columns(rule.resultTable)).toEqual([]);
      expect(events).toEqual([]);
    } else {
      expect(plant.store.results.count(rule.resultTable)).toBe(counted);
      expect(events).toHaveLength(counted);
    }
    expect(plant.faults).toEqual([]);
  },
);

test('a manual window with samples fires once even if its tags now have no value', async () => {
  const plant = openPlant();
  await withTags(plant);
  await plant.tags.definitions.save({
    path: 'Plant.Line.Signal',
    kind: 'machine',
    type: 'Double',
    description: '',
    unit: '',
    settings: { signal: { kind: 'constant', value: 3 } },
  });
  const rule = await plant.rules.save(
    ruleText('A', { ...MANUAL, tags: ['Plant.Line.Signal'], outputs: [output('last', { tag: 'Plant.Line.Signal' })] }),
  );
  await expect
    .poll(async () => (await stateOf(plant, rule.id))?.window?.samples ?? 0, { interval: 10 })
    .toBeGreaterThan(0);
  await plant.tags.force({ path: 'Plant.Line.Signal', quality: 'BadNotConnected' });
  const active: number[] = [];
  plant.events.onChange(({ counts }) => active.push(counts.active));
  expect(await plant.rules.fire({ id: rule.id, times: 5 })).toMatchObject({ fired: 1, firstEvent: 1, lastEvent: 1 });
  await expect.poll(() => active).toEqual([1]);
  await expect(plant.rules.fire({ id: rule.id })).rejects.toMatchObject({ code: 'CONFLICT' });
});

async function stateOf({ rules }: ReturnType<typeof openPlant>, id: number) {
  const ends = new AbortController();
  for await (const states of rules.state(ends.signal)) {
    ends.abort();
    return states.find((state) => state.id === id);
  }
  return undefined;
}

test('a firing of a former rule does not determine the columns of later ones', () => {
  const { store } = openPlant({ start: false });
  const tables = new ResultTables(store.database);
  const columns = (name: string) => [{ name, type: 'REAL' as const }];
  const at = '2026-01-02T03:04:05.000+01:00';
  const row = (value: number) => ({
    firedAt: at,
    firedBy: 'window' as const,
    windowStart: at,
    windowEnd: at,
    samples: 1,
    badSamples: 0,
    values: [value],
  });
  tables.ensure('agg_9_t', columns('a'));
  tables.ensure('agg_9_t', columns('b'));
  tables.insert('agg_9_t', ['a'], row(1));
  tables.insert('agg_9_t', ['b'], row(2));
  const rows = tables.page('agg_9_t', { before: 10, limit: 10 });
  expect(rows.map((cells) => cells.slice(-2))).toEqual([
    [null, 2],
    [1, null],
  ]);
  expect(tables.count('agg_9_t')).toBe(2);
  tables.dropSome('agg_9_t', 1);
  expect(tables.count('agg_9_t')).toBe(1);
  expect(tables.count('agg_9_none')).toBe(0);
});
