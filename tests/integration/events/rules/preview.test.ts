import { expect, test } from 'vitest';
import type { RuleText } from '#domain/rule/rule';
import type { JsonObject } from '#domain/text/json';
import type { Plant } from './plant.ts';
import { openPlant, output, ruleText, RUNNING, SPEED, withTags, write } from './plant.ts';

const HOUR = 3_600_000;
const RAMP = 'Plant.Line.Ramp.Value';
const GATE = 'Plant.Line.Gate.Value';
/** On the hour in every time zone whose offset is whole hours; the tests don't depend on it. */
const NOW = Date.UTC(2026, 10, 23, 12) + 500;
const clock = { now: () => NOW, iso: () => new Date(NOW).toISOString() };

async function withMachines({ tags }: Plant): Promise<void> {
  const save = (path: string, type: 'Double' | 'Boolean', signal: JsonObject) =>
    tags.definitions.save({
      path,
      kind: 'machine',
      type,
      description: '',
      unit: type === 'Double' ? 'mm' : '',
      settings: { signal, noise: 0, updateMs: 1_000 },
    });
  await save(RAMP, 'Double', { kind: 'ramp', min: 0, max: 3_600, periodMs: HOUR });
  await save(GATE, 'Boolean', { kind: 'square', low: false, high: true, periodMs: 600_000 });
}

const draft = (more: Partial<RuleText>): RuleText =>
  ruleText('Draft', {
    tags: [RAMP],
    window: { kind: 'tumbling', everyMs: 60_000 },
    outputs: [output('min', { tag: RAMP }), output('max', { tag: RAMP }), output('count', { tag: RAMP })],
    ...more,
  });

test('an unsaved rule has the windows of the past hour of a signal', async () => {
  const plant = openPlant({ clock, start: false });
  await withMachines(plant);
  const preview = await plant.rules.preview(draft({}));
  expect(preview).toMatchObject({ unknownTags: [], limit: null, earlier: 0, units: ['mm', 'mm', 'samples'] });
  expect(preview.sources).toEqual([{ path: RAMP, kind: 'machine', basis: 'signal', since: null, rule: null }]);
  expect(preview.span?.to).toBe(NOW);
  expect(preview.windows).toHaveLength(60);
  for (const { start, end, samples, outcome, outputs } of preview.windows) {
    const first = (start % HOUR) / 1_000;
    expect({
      length: end - start,
      samples,
      outcome,
      outputs: outputs.map((value) => Math.round(Number(value))),
    }).toEqual({
      length: 60_000,
      samples: 60,
      outcome: 'fires',
      outputs: [first, first + 59, 60],
    });
  }
  expect(plant.rules.list()).toEqual([]);
});

test('an interval takes a sample of every tag at each multiple', async () => {
  const plant = openPlant({ clock, start: false });
  await withMachines(plant);
  const preview = await plant.rules.preview(draft({ sampling: { kind: 'interval', everyMs: 5_000 } }));
  expect(new Set(preview.windows.map(({ samples }) => samples))).toEqual(new Set([12]));
});

test('a signal opens and closes windows', async () => {
  const plant = openPlant({ clock, start: false });
  await withMachines(plant);
  const preview = await plant.rules.preview(draft({ window: { kind: 'while', tag: GATE } }));
  const whole = preview.windows.filter(({ start, end }) => end - start === 300_000);
  expect(whole.length).toBeGreaterThanOrEqual(5);
  expect(preview.sources.map(({ path, basis }) => [path, basis])).toEqual([
    [RAMP, 'signal'],
    [GATE, 'signal'],
  ]);
});

test('long windows reach further back than an hour', async () => {
  const plant = openPlant({ clock, start: false });
  await withMachines(plant);
  const window = { kind: 'tumbling', everyMs: HOUR } as const;
  const preview = await plant.rules.preview(draft({ window, sampling: { kind: 'interval', everyMs: 60_000 } }));
  expect(preview.windows.length).toBeGreaterThanOrEqual(3);
});

test('tags without a signal have their current value and the samples of rules', async () => {
  const plant = openPlant({ clock });
  await withTags(plant);
  await withMachines(plant);
  await plant.rules.save(ruleText('Source', { triggersEvents: false }));
  await write(plant, 3);
  await expect.poll(() => plant.store.windows.count(1)).toBeGreaterThan(0);
  const preview = await plant.rules.preview(
    draft({
      tags: [RAMP, SPEED, RUNNING],
      outputs: [output('last', { tag: RAMP }), output('last', { tag: SPEED, name: 'speed' })],
      window: { kind: 'count', samples: 100 },
    }),
  );
  expect(preview.sources.map(({ path, basis, rule }) => [path, basis, rule])).toEqual([
    [RAMP, 'signal', null],
    [SPEED, 'samples', 'Source'],
    [RUNNING, 'value', null],
  ]);
  expect(preview.windows).not.toHaveLength(0);
});

test('long texts shorten the list of windows', async () => {
  const plant = openPlant({ clock, start: false });
  const path = 'Plant.Line.Text.Value';
  const value = 'x'.repeat(100_000);
  const settings = { signal: { kind: 'square', low: value, high: `${value}y`, periodMs: 120_000 }, updateMs: 60_000 };
  await plant.tags.definitions.save({ path, kind: 'machine', type: 'String', description: '', unit: '', settings });
  const preview = await plant.rules.preview(
    draft({ tags: [path], outputs: [output('last', { tag: path })], window: { kind: 'count', samples: 1 } }),
  );
  expect(preview.windows.length + preview.earlier).toBeGreaterThanOrEqual(60);
  expect(preview.windows).toHaveLength(9);
});

test('an override and a forced quality apply since they were set', async () => {
  const plant = openPlant({ clock, start: false });
  await withMachines(plant);
  await plant.tags.set({ items: [{ tag: RAMP, value: -1 }] });
  const past = plant.tags.pastOf(RAMP);
  expect(past?.at(NOW - 1)).toMatchObject({ quality: 'Good' });
  expect(past?.at(NOW)).toMatchObject({ value: -1, overridden: true });
  expect(past?.changesAt(NOW - 1)).toBe(NOW);
  expect(past?.changesAt(NOW)).toBe(Infinity);
  const { sources } = await plant.rules.preview(draft({}));
  expect(sources).toMatchObject([{ basis: 'signal', since: NOW }]);
});

test('a preview ends when its client no longer needs it', async () => {
  const plant = openPlant({ clock, start: false });
  await withMachines(plant);
  const end = new AbortController();
  const preview = plant.rules.preview(draft({ sampling: { kind: 'interval', everyMs: 100 } }), end.signal);
  end.abort();
  await expect(preview).rejects.toThrow(/abort/i);
});
