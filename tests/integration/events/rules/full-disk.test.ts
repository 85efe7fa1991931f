import { expect, test } from 'vitest';
import type { RuleText } from '#domain/rule/rule';
import { openPlant, output, rowsOf, ruleText, withTags, write } from './plant.ts';

const WRITES = 300;

test('windows that close while the disk is full are retried, and later fire in order', async () => {
  const plant = openPlant();
  await withTags(plant);
  const { database } = plant.store;
  const each = { window: { kind: 'count', samples: 1 }, outputs: [output('last')] } satisfies Partial<RuleText>;
  const [first] = await Promise.all(['A', 'B'].map((name) => plant.rules.save(ruleText(name, each))));
  await write(plant, 0);
  await expect.poll(() => rowsOf(plant, 'B').length).toBe(1);
  const limit = database.pragma('max_page_count', { simple: true });
  const full = Number(database.pragma('page_count', { simple: true }));
  database.pragma(`max_page_count = ${full}`);
  const all = [0];
  for (let value = 1; value <= WRITES; value += 1) {
    // A write that shares its transaction with a firing may be rejected together with it.
    const refused = await write(plant, value).catch((thrown: unknown) => thrown);
    if (refused) expect(refused).toMatchObject({ code: 'STORAGE_FULL' });
    else all.push(value);
  }
  expect(all.length).toBeGreaterThan(WRITES / 2);
  await expect.poll(() => plant.faults.length).toBeGreaterThan(0);
  expect(rowsOf(plant, 'A').length).toBeLessThan(all.length);
  const state = async () => {
    const ends = new AbortController();
    for await (const states of plant.rules.state(ends.signal)) {
      ends.abort();
      return states.find(({ id }) => id === first?.id);
    }
    return undefined;
  };
  expect((await state())?.problem).toMatch(/^A firing could not be stored: .* is full/);
  // Many windows wait; each attempt is for one of them.
  expect(plant.faults.filter((fault) => fault.startsWith('firing')).length).toBeLessThan(WRITES / 2);

  database.pragma(`max_page_count = ${String(limit)}`);
  for (const name of ['A', 'B']) {
    await expect.poll(() => rowsOf(plant, name).map((row) => row['last']), { interval: 100 }).toEqual(all);
  }
  expect((await state())?.problem).toBeNull();
  const events = plant.events.page({ limit: 10_000, ruleId: first?.id });
  expect(events.map((event) => event.ResultTableRecordId).toReversed()).toEqual(all.map((_, place) => place + 1));
});
