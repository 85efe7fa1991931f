import { expect, test } from 'vitest';
import { FakeClock } from '../../../support/fake-clock.ts';
import { JournalWindows } from '../../../../src-main/storage/journal/journal-windows.ts';
import type { Plant } from './plant.ts';
import { openPlant, output, rowsOf, ruleText, withTags, write } from './plant.ts';

const SIGNAL = 'Plant.Line.Signal';
const HOUR_MS = 3_600_000;

async function withSignal({ tags }: Plant): Promise<void> {
  await tags.definitions.save({
    path: SIGNAL,
    kind: 'machine',
    type: 'Double',
    description: '',
    unit: '',
    settings: { signal: { kind: 'ramp', min: 0, max: 1_000, periodMs: 100_000_000 }, updateMs: 1_000 },
  });
}

async function windowOf({ rules }: Plant, name: string) {
  const { id } = rules.get({ name });
  const ends = new AbortController();
  for await (const states of rules.state(ends.signal)) {
    ends.abort();
    return states.find((state) => state.id === id)?.window ?? null;
  }
  return null;
}

test('a clock set back by an hour closes the windows, and sampling continues at once', async () => {
  const clock = new FakeClock('2026-08-01T10:15:00.000Z');
  const plant = openPlant({ clock });
  await withTags(plant);
  await withSignal(plant);
  await write(plant, 5);
  const minute = { kind: 'tumbling', everyMs: 60_000 } as const;
  const ofSignal = { tags: [SIGNAL], outputs: [output('count', { tag: SIGNAL })], window: minute };
  await plant.rules.save(ruleText('On change', ofSignal));
  await plant.rules.save(ruleText('At intervals', { ...ofSignal, sampling: { kind: 'interval', everyMs: 500 } }));
  await plant.rules.save(ruleText('Held', { window: minute, outputs: [output('timeWeightedAvg')] }));
  const names = ['On change', 'At intervals', 'Held'];
  const sampled = ['On change', 'At intervals'];
  const samplesOf = async (name: string) => (await windowOf(plant, name))?.samples ?? 0;
  for (const name of names) await expect.poll(() => samplesOf(name)).toBeGreaterThan(0);

  clock.advance(40_000);
  for (const name of sampled) await expect.poll(() => samplesOf(name)).toBeGreaterThan(1);
  clock.advance(-HOUR_MS);
  for (const name of names) {
    await expect.poll(() => rowsOf(plant, name).length).toBe(1);
    const [row] = rowsOf(plant, name);
    expect(Date.parse(String(row?.['window_end']))).toBe(Date.parse('2026-08-01T10:15:40.000Z'));
    expect((await windowOf(plant, name))?.start).toBe(Date.parse('2026-08-01T09:15:00.000Z'));
  }
  expect(rowsOf(plant, 'Held')).toMatchObject([{ time_weighted_avg: 5 }]);

  for (const name of sampled) {
    const before = await samplesOf(name);
    clock.advance(2_000);
    await expect.poll(() => samplesOf(name)).toBeGreaterThan(before);
  }
  clock.advance(30_000);
  for (const name of names) {
    await expect.poll(() => rowsOf(plant, name).length).toBe(2);
    expect(Date.parse(String(rowsOf(plant, name)[1]?.['window_end']))).toBe(Date.parse('2026-08-01T09:16:00.000Z'));
  }
});

test('after the clock was set back, each data row has the samples of its own window', async () => {
  const clock = new FakeClock('2026-08-01T10:15:10.000Z');
  const plant = openPlant({ clock });
  await withTags(plant);
  await write(plant, 5);
  const { id, resultTable: table } = await plant.rules.save(
    ruleText('A', { window: { kind: 'tumbling', everyMs: 10_000 }, outputs: [output('last')] }),
  );
  const rows = () => rowsOf(plant, 'A');
  const lastSample = async () => (await windowOf(plant, 'A'))?.outputs[0];
  /** Until the open window has it, and it is stored: a value that is replaced before is no sample. */
  const sampleAt = async (second: number, value: number) => {
    clock.advance(Date.parse('2026-08-01T10:15:00.000Z') + second * 1_000 - clock.now());
    await write(plant, value);
    await expect.poll(lastSample).toBe(value);
  };
  await expect.poll(lastSample).toBe(5);
  await sampleAt(11, 11);
  await sampleAt(12, 12);
  await sampleAt(4, 104);
  await expect.poll(() => rows().length).toBe(1);
  await sampleAt(8, 108);
  await sampleAt(11, 111);
  await sampleAt(13, 113);
  await sampleAt(14, 114);
  // Within a window, which goes on.
  await sampleAt(11, 211);
  await sampleAt(21, 121);
  await expect.poll(() => rows().length).toBe(3);

  const windows = new JournalWindows(plant.store.database);
  const valuesOf = (row: number) => {
    const firing = { ruleId: id, rule: 'A', savedAt: '', condition: '', table, firstRow: row, lastRow: row };
    return windows.of({ ...firing, firstEvent: null }, row)?.list.map(({ value }) => value) ?? [];
  };
  const own = ([1, 2, 3] as const).map((row) => valuesOf(row).filter((value) => Number(value) >= 11));
  expect(own).toEqual([
    [11, 12],
    [104, 108],
    [111, 113, 114, 211],
  ]);
  expect([1, 2, 3].map((row) => valuesOf(row).length)).toEqual(rows().map((row) => row['samples']));
});

test('a small clock correction closes no window', async () => {
  const clock = new FakeClock('2026-08-01T10:15:00.500Z');
  const plant = openPlant({ clock });
  await withTags(plant);
  await write(plant, 5);
  await plant.rules.save(ruleText('A', { window: { kind: 'tumbling', everyMs: 60_000 } }));
  const samples = async () => (await windowOf(plant, 'A'))?.samples;
  await expect.poll(samples).toBe(1);
  clock.advance(-1_500);
  await write(plant, 6);
  await expect.poll(samples).toBe(2);
  expect(rowsOf(plant, 'A')).toEqual([]);
  expect((await windowOf(plant, 'A'))?.start).toBe(Date.parse('2026-08-01T10:15:00.000Z'));
});
