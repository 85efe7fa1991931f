import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ConditionRunner } from '../../../../src-main/events/rules/conditions/condition.ts';
import { RunTree } from '../../../../src-main/scripting/runs/run-tree.ts';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import { realPool } from '../../../support/scripting/script-runs.ts';
import { openPlant, output, rowsOf, ruleText, RUNNING, SPEED, withTags, write } from './plant.ts';

describe('firing', () => {
  test('a window that closes writes a data row, and an event that refers to it', async () => {
    const plant = openPlant();
    await withTags(plant);
    await write(plant, 0);
    const rule = await plant.rules.save(
      ruleText('Fill level (Ü)', { outputs: [output('sum'), output('last', { name: 'Last value' })] }),
    );
    expect(rule.resultTable).toBe('agg_1_fill_level_u');
    await pause(50);
    await write(plant, 1, 2, 3, 4);
    await expect.poll(() => rowsOf(plant, 'fill LEVEL (ü)')).toHaveLength(1);
    const [row] = rowsOf(plant, rule.name);
    // The value at the opening of the window is its first sample.
    expect(row).toMatchObject({ id: 1, fired_by: 'window', samples: 3, bad_samples: 0, sum: 3, last_value: 2 });
    expect(String(row?.['window_start'])).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/);
    expect(plant.events.page({ limit: 10 })).toEqual([
      {
        AggregationEventId: 1,
        RuleId: rule.id,
        EventDateTime: row?.['fired_at'],
        Active: true,
        ResultTableName: 'agg_1_fill_level_u',
        ResultTableRecordId: 1,
      },
    ]);
    expect(plant.faults).toEqual([]);
  });

  test('a rule without events writes only rows; a disabled one does nothing', async () => {
    const plant = openPlant();
    await withTags(plant);
    const rule = await plant.rules.save(ruleText('Quiet', { triggersEvents: false }));
    await plant.rules.save(ruleText('Off', { enabled: false }));
    await write(plant, 1, 2, 3);
    await expect.poll(() => rowsOf(plant, 'Quiet')).toHaveLength(1);
    expect(await plant.events.counts()).toEqual({ active: 0, disabled: 0 });
    expect(rowsOf(plant, 'Off')).toEqual([]);
    // When it is enabled, the window continues.
    await write(plant, 4, 5);
    await plant.rules.save({ ...rule, triggersEvents: true, name: 'Loud' });
    await write(plant, 6);
    await expect.poll(() => rowsOf(plant, 'Loud').map((row) => row['sum'])).toEqual([6, 15]);
    expect(plant.events.page({ limit: 10 })).toMatchObject([
      { ResultTableName: 'agg_1_quiet', ResultTableRecordId: 2 },
    ]);
  });

  test('windows follow the clock or a Boolean tag', async () => {
    const plant = openPlant();
    await withTags(plant);
    await plant.tags.set({
      items: [
        { tag: RUNNING, value: false },
        { tag: SPEED, value: 1 },
      ],
    });
    await plant.rules.save(
      ruleText('Clock', { window: { kind: 'tumbling', everyMs: 200 }, sampling: { kind: 'interval', everyMs: 20 } }),
    );
    await plant.rules.save(
      ruleText('Batch', {
        window: { kind: 'while', tag: RUNNING },
        outputs: [output('count'), output('timeWeightedAvg')],
      }),
    );
    await expect.poll(() => rowsOf(plant, 'Clock').length).toBeGreaterThan(3);
    await expect.poll(() => rowsOf(plant, 'Clock').some(({ count }) => Number(count) > 2)).toBe(true);
    for (const row of rowsOf(plant, 'Clock').slice(1, 3)) {
      expect(Date.parse(String(row['window_end'])) - Date.parse(String(row['window_start']))).toBe(200);
      expect(row['sum']).toBe(row['count']);
    }
    await plant.tags.set({ items: [{ tag: RUNNING, value: true }] });
    await write(plant, 7);
    await pause(30);
    expect(rowsOf(plant, 'Batch')).toEqual([]);
    await plant.tags.set({ items: [{ tag: RUNNING, value: false }] });
    await expect.poll(() => rowsOf(plant, 'Batch')).toMatchObject([{ count: 1, samples: 1 }]);
  });

  test('bad quality is counted and omitted; an empty window does not fire', async () => {
    const plant = openPlant();
    const path = 'Plant.Line.Level.Value';
    await plant.tags.definitions.save({
      path,
      kind: 'machine',
      type: 'Double',
      description: '',
      unit: '',
      settings: { signal: { kind: 'constant', value: 5 }, updateMs: 20 },
    });
    await plant.tags.force({ path, quality: 'BadSensorFailure' });
    await plant.rules.save(
      ruleText('Level', {
        tags: [path],
        outputs: [output('avg', { tag: path })],
        sampling: { kind: 'interval', everyMs: 20 },
        window: { kind: 'tumbling', everyMs: 250 },
      }),
    );
    await pause(600);
    expect(rowsOf(plant, 'Level')).toEqual([]);
    await plant.tags.force({ path, quality: null });
    await expect.poll(() => rowsOf(plant, 'Level').length).toBeGreaterThan(1);
    const [first] = rowsOf(plant, 'Level');
    expect(first).toMatchObject({ avg: 5 });
    const looks = () => rowsOf(plant, 'Level').map((row) => Number(row['bad_samples']) + Number(row['samples']));
    await expect.poll(() => Math.max(...looks())).toBeGreaterThan(5);
  });
});

describe('manually', () => {
  test('fires as often as requested, in any state; a manual window restarts', async () => {
    const plant = openPlant({ start: false });
    await withTags(plant);
    await write(plant, 5);
    await plant.rules.save(ruleText('Count', { enabled: false, condition: 'sum > 1000' }));
    await plant.rules.save(
      ruleText('Hand', { window: { kind: 'manual' }, outputs: [output('count'), output('last')] }),
    );
    expect(await plant.rules.fire({ name: 'count', times: 1_201 })).toEqual({
      fired: 1_201,
      firstRow: 1,
      lastRow: 1_201,
      firstEvent: 1,
      lastEvent: 1_201,
      resultTable: 'agg_1_count',
    });
    expect(plant.rules.rows({ id: 1, limit: 1 })).toMatchObject({ total: 1_201 });
    await plant.rules.fire({ id: 2 });
    await write(plant, 6);
    await plant.rules.fire({ id: 2 });
    const rows = rowsOf(plant, 'Hand');
    expect(rows).toMatchObject([
      { count: 1, last: 5, fired_by: 'hand' },
      { count: 1, last: 6 },
    ]);
    expect(rows[1]?.['window_start']).toBe(rows[0]?.['window_end']);
    expect(await plant.eventService.createTest({ count: 3 })).toMatchObject({ ruleId: 1, created: 3 });
  });

  test('is rejected if no value is usable, and if the rule does not exist', async () => {
    const plant = openPlant({ start: false });
    await withTags(plant);
    await plant.rules.save(ruleText('Count'));
    await expect(plant.rules.fire({ id: 1 })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(SPEED),
    });
    expect(() => plant.rules.fire({ name: 'Cuont' })).toThrow('The rules are "Count" (1)');
    expect(rowsOf(plant, 'Count')).toEqual([]);
  });
});

describe('saving', () => {
  test('lists every issue', async () => {
    const plant = openPlant({ start: false });
    await withTags(plant);
    const wrong = ruleText('17', {
      tags: ['Plant.Line.Sped.Value', SPEED],
      window: { kind: 'tumbling', everyMs: 7 * 60_000 },
      outputs: [
        output('sum'),
        output('sum'),
        output('timeInState', { name: 'x' }),
        output('avg', { name: 'y', tag: RUNNING }),
      ],
      condition: 'sum > ',
    });
    const error: unknown = await plant.rules.save(wrong).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'BAD_REQUEST' });
    const issues: unknown = error instanceof Error && 'data' in error ? error.data : null;
    expect(issues).toMatchObject({
      issues: [
        { path: ['name'] },
        { path: ['tags', 0], message: expect.stringContaining(SPEED) },
        { path: ['window', 'everyMs'], message: expect.stringContaining('such as 6 min') },
        { path: ['outputs', 1, 'name'] },
        { path: ['outputs', 2, 'state'] },
        { path: ['outputs', 3, 'tag'] },
        { path: ['condition'], message: expect.stringMatching(/^not an expression: .* at its end$/) },
      ],
    });
    const early = ruleText('B', { condition: 'sum > 1 &&\n  ) 2', sampling: { kind: 'interval', everyMs: 1 } });
    await expect(plant.rules.save(early)).rejects.toMatchObject({
      data: {
        issues: [
          { path: ['sampling', 'everyMs'], message: 'enter 20 ms to 1 d' },
          { path: ['condition'], message: expect.stringContaining('in line 2, column 3') },
        ],
      },
    });
    await plant.rules.save(ruleText('A'));
    await expect(plant.rules.save(ruleText('a'))).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('changed outputs add columns; old rows stay, and the table keeps its name', async () => {
    const plant = openPlant({ start: false });
    await withTags(plant);
    await write(plant, 2);
    const rule = await plant.rules.save(ruleText('A', { outputs: [output('sum', { name: 'value' })] }));
    await plant.rules.fire({ id: 1 });
    const renamed = await plant.rules.save({
      ...rule,
      name: 'B',
      outputs: [output('count', { name: 'value' }), output('max', { name: 'id' })],
    });
    expect(renamed).toMatchObject({
      resultTable: 'agg_1_a',
      outputs: [{ column: 'value_2', columnType: 'INTEGER' }, { column: 'id_2' }],
    });
    await plant.rules.fire({ id: 1 });
    await plant.rules.save({ ...rule, name: 'B' });
    await plant.rules.fire({ id: 1 });
    expect(rowsOf(plant, 'B')).toMatchObject([
      { id: 1, value: 2, value_2: null, id_2: null },
      { id: 2, value: null, value_2: 1, id_2: 2 },
      { id: 3, value: 2, value_2: null, id_2: null },
    ]);
    expect(plant.rules.rows({ id: 1 }).columns.slice(-3)).toEqual([
      { name: 'value', type: 'REAL', output: 'value', unit: '' },
      { name: 'value_2', type: 'INTEGER', output: null, unit: '' },
      { name: 'id_2', type: 'REAL', output: null, unit: '' },
    ]);
  });

  test('a deletion keeps the rows, or drops them with their events', async () => {
    const plant = openPlant({ start: true });
    await withTags(plant);
    await write(plant, 2);
    for (const name of ['A', 'B']) await plant.rules.save(ruleText(name, { window: { kind: 'manual' } }));
    await plant.rules.fire({ name: 'A', times: 1_500 });
    await plant.rules.fire({ name: 'B', times: 1_500 });
    await plant.rules.delete({ name: 'A', rows: 'keep' });
    await plant.rules.delete({ name: 'B', rows: 'drop' });
    expect(plant.rules.list()).toEqual([]);
    await expect.poll(() => plant.store.results.columns('agg_2_b')).toEqual([]);
    expect(plant.store.results.count('agg_1_a')).toBe(1_500);
    expect(await plant.events.counts()).toEqual({ active: 1_500, disabled: 0 });
    expect(plant.store.rules.toDrop()).toEqual([]);
    // The name is available again, the table is not.
    expect(await plant.rules.save(ruleText('A'))).toMatchObject({ id: 3, resultTable: 'agg_3_a' });
  });
});

describe('conditions', () => {
  const conditions = (): ConditionRunner => {
    const runner = realPool();
    runner.start();
    onTestFinished(() => runner.close());
    return new RunTree({ runner, settings: { get: () => DEFAULT_SETTINGS } }).outside;
  };

  test('are evaluated in the sandbox, and determine whether the rule fires', async () => {
    const plant = openPlant({ conditions: conditions() });
    await withTags(plant);
    const window = { kind: 'count', samples: 1 } as const;
    const outputs = [output('last', { name: 'Last value' })];
    await plant.rules.save(
      ruleText('Even', { window, outputs, condition: `last_value % 2 === 0 && outputs['Last value'] > 0` }),
    );
    await plant.rules.save(ruleText('Throws', { window, outputs, condition: 'nothing.there' }));
    await plant.rules.save(ruleText('Number', { window, outputs, condition: 'last_value' }));
    await plant.rules.save(ruleText('Endless', { window, outputs, condition: '(() => { for (;;); })()' }));
    await write(plant, 1, 2, 3, 4);
    await expect.poll(() => rowsOf(plant, 'Even').map((row) => row['last_value'])).toEqual([2, 4]);
    const problems = async () => {
      for await (const states of plant.rules.state(AbortSignal.timeout(5_000)))
        return states.map(({ problem }) => problem);
      return [];
    };
    await expect
      .poll(problems)
      .toEqual([
        expect.stringContaining('The condition failed'),
        null,
        'The condition failed: the condition returned a number, not true or false',
        'The condition failed: nothing is not defined',
      ]);
    expect((await plant.events.counts()).active).toBe(2);
  });

  test('a preview shows which windows would have fired', async () => {
    const plant = openPlant({ conditions: conditions() });
    await withTags(plant);
    await write(plant, 1);
    await plant.rules.save(ruleText('Source', { triggersEvents: false }));
    await expect.poll(() => plant.store.windows.count(1)).toBe(1);
    await write(plant, 2, 3, 4, 5, 6, 7);
    await expect.poll(() => plant.store.windows.count(1)).toBe(7);
    const window = { kind: 'count', samples: 2 } as const;
    const preview = await plant.rules.preview(
      ruleText('Draft', { window, outputs: [output('sum', { name: 'total' })], condition: 'total > 4' }),
    );
    expect(preview).toMatchObject({ samples: 7, unknownTags: [] });
    expect(preview.windows.map(({ outputs, outcome }) => [outputs[0], outcome])).toEqual([
      [3, 'condition'],
      [7, 'fires'],
      [11, 'fires'],
    ]);
  });
});

test('samples are kept as configured, and always for the open window', async () => {
  const plant = openPlant({ settings: { 'retention.samples': 10 }, start: false });
  await withTags(plant);
  const rule = await plant.rules.save(ruleText('A', { window: { kind: 'count', samples: 40 } }));
  const { store } = plant;
  await store.commits.run(() => {
    for (let n = 0; n < 30; n += 1)
      store.windows.append({
        ruleId: rule.id,
        fromMs: 1,
        toMs: Date.now(),
        count: 1,
        samples: `[[0,0,${n}]]`,
        covered: 0,
      });
    store.windows.putOpen(rule.id, { batchId: 25, state: JSON.stringify({ window: null, held: [null], at: 0 }) });
  });
  plant.rules.start();
  await expect.poll(() => store.windows.count(rule.id)).toBe(10);
  // The newest, also one that the rule has added since it was started; the open window begins with the 25th.
  const ids = store.windows.after(rule.id, 0).map(({ id }) => id);
  expect(ids).toEqual(Array.from({ length: 10 }, (_, place) => (ids.at(-1) ?? 0) - 9 + place));
  expect(ids[0]).toBeLessThanOrEqual(25);
});

test('changes of events are kept as configured', async () => {
  const { store, events, rules } = openPlant({ settings: { 'retention.changes': 3 }, start: false });
  const event = { ruleId: 1, eventDateTime: '', at: Date.now(), resultTableName: '', resultTableRecordId: 1 };
  for (let n = 0; n < 6; n += 1) await store.commits.run(() => events.insert(event));
  expect(store.eventChanges.range()).toEqual({ first: 1, last: 6 });
  rules.start();
  await expect.poll(() => store.eventChanges.range()).toEqual({ first: 4, last: 6 });
});
