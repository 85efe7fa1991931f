import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openPlant, output, rowsOf, ruleText, withTags, write } from './plant.ts';

test('an open window continues after a restart; an unchanged value adds no sample', async () => {
  const before = openPlant();
  await withTags(before);
  await write(before, 1);
  await before.rules.save(ruleText('A', { window: { kind: 'count', samples: 4 } }));
  await pause(20);
  await write(before, 2, 3);
  await expect.poll(() => before.store.windows.count(1)).toBe(3);
  await before.close();
  const after = openPlant({ directory: before.directory });
  await pause(50);
  expect(rowsOf(after, 'A')).toEqual([]);
  await write(after, 4);
  await expect.poll(() => rowsOf(after, 'A')).toMatchObject([{ sum: 10, count: 4 }]);
});

test('a window that became overdue in the meantime closes once, at its scheduled end', async () => {
  const before = openPlant();
  await withTags(before);
  await write(before, 7);
  const window = { kind: 'tumbling', everyMs: 6_000 } as const;
  // Not at the end of a window, so that one stays open for a while.
  const left = 6_000 - (Date.now() % 6_000);
  if (left < 4_000) await pause(left + 20);
  await before.rules.save(ruleText('A', { window, outputs: [output('last'), output('timeWeightedAvg')] }));
  await expect.poll(() => before.store.windows.count(1)).toBe(1);
  await before.close();
  const end = Math.ceil(Date.now() / 6_000) * 6_000;
  await pause(end - Date.now() + 100);
  for (let restart = 0; restart < 3; restart += 1) {
    const after = openPlant({ directory: before.directory });
    await expect.poll(() => rowsOf(after, 'A').length).toBeGreaterThan(0);
    const rows = rowsOf(after, 'A').filter((row) => Date.parse(String(row['window_end'])) === end);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ last: 7, time_weighted_avg: 7, samples: 1 });
    await after.close();
  }
});

test('a rule keeps its samples when renamed, and starts over when its windows change', async () => {
  const plant = openPlant();
  await withTags(plant);
  await write(plant, 1);
  const rule = await plant.rules.save(ruleText('A'));
  await write(plant, 2);
  await pause(20);
  await plant.rules.save({ ...rule, name: 'B' });
  await write(plant, 3);
  await expect.poll(() => rowsOf(plant, 'B')).toMatchObject([{ sum: 6 }]);
  await write(plant, 4);
  await plant.rules.save({ ...rule, name: 'B', window: { kind: 'count', samples: 2 } });
  await pause(20);
  await write(plant, 5);
  await expect.poll(() => rowsOf(plant, 'B')).toMatchObject([{ sum: 6 }, { sum: 9 }]);
});
