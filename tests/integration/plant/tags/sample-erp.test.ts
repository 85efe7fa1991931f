import { afterAll, beforeAll, beforeEach, describe, expect, test, onTestFinished } from 'vitest';
import type { Json } from '#domain/text/json';
import { ErpService } from '../../../../src-main/plant/erp/erp-service.ts';
import type { SamplePlant } from './sample-plant.ts';
import { samplePlant } from './sample-plant.ts';

/*
 * The third flow of the requirements, in the real sandbox: each element of an array becomes an ERP record, or none
 * does.
 */

const SCRIPT = 'Post goods movements';
const MOVEMENTS = 'Bottling.Erp.GoodsMovement.Record';
const AT = { diagram: 'Goods issue', location: 'Line1' };
let plant: SamplePlant;
let erp: ErpService;

beforeAll(async () => {
  plant = await samplePlant();
  erp = new ErpService({ outbox: plant.outbox, tags: plant.tags });
});
beforeEach(() => erp.clear({}));
afterAll(() => {
  erp.close();
  return plant.close();
});

const warningOf = async (scope = AT) => {
  const paths = ['Bottling.Erp.Warning.Active.Value', 'Bottling.Erp.Warning.Message.Value'];
  return (await plant.tags.get({ paths, ...scope })).map(({ value }) => value);
};
const sent = async () => (await erp.list({})).records;

describe('Post goods movements', () => {
  test('sends one record per element in one Set, and clears the warning', async () => {
    await plant.run(SCRIPT, { tagValue: [] });
    expect((await warningOf())[0]).toBe(true);
    const report = await plant.run(SCRIPT);
    expect(report).toMatchObject({ status: 'ok', result: '3 goods movements were sent for order 4711.' });
    expect(new Set(report.writes.map(({ call }) => call)).size).toBe(1);
    expect(report.writes.map(({ path }) => path)).toEqual([
      MOVEMENTS,
      MOVEMENTS,
      MOVEMENTS,
      'Bottling.Erp.Warning.Active.Value',
      'Bottling.Erp.Warning.Message.Value',
    ]);
    const records = await sent();
    expect(records.map(({ record }) => record['material'])).toEqual(['LB-0117', 'CP-0028', 'PR-0500']);
    expect(records[1]).toMatchObject({
      tag: MOVEMENTS,
      ...AT,
      record: {
        material: 'CP-0028',
        quantity: 96_480,
        unit: 'PC',
        batch: 'C-2231',
        movementType: '261',
        plant: '1000',
        storageLocation: 'Line1',
        order: 4711,
        postedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    });
    expect(await plant.tags.get({ paths: [MOVEMENTS] })).toMatchObject([
      { value: records[0]?.record, quality: 'Good' },
    ]);
    expect(await warningOf()).toEqual([false, '']);
  });

  test.each<[Json, string]>([
    [[], 'write an array of { material, quantity, unit }'],
    [{ material: 'PR-0500' }, 'write an array of { material, quantity, unit }'],
    [
      [{ material: 'PR-0500', quantity: 1, unit: 'PC' }, { quantity: 0 }, null],
      'record 2 has no material; record 2 needs a quantity of more than 0; record 3 is not an object',
    ],
  ])('sends nothing for %j, and stores a warning for the Diagram that wrote it', async (tagValue, problem) => {
    const report = await plant.run(SCRIPT, { tagValue });
    expect(report).toMatchObject({ status: 'ok', result: null });
    expect(await warningOf()).toEqual([true, `No goods movement was sent: ${problem}.`]);
    expect(await warningOf({ diagram: 'Other', location: '' })).toEqual([false, '']);
    expect(await sent()).toEqual([]);
  });

  test('sends nothing if the schema rejects a record, and warns with the invalid member', async () => {
    const good = { material: 'PR-0500', quantity: 1, unit: 'PC' };
    const tagValue = [good, { ...good, unit: 'pieces' }, { ...good, material: 'PR-5' }];
    expect(await plant.run(SCRIPT, { tagValue })).toMatchObject({ status: 'ok', result: null });
    expect(await warningOf()).toEqual([
      true,
      'No goods movement was sent: unit must be equal to one of the allowed values: "PC", "KG", "L", "CAR"; ' +
        'material must match pattern "^[A-Z]{2}-[0-9]{4}$".',
    ]);
    expect(await sent()).toEqual([]);
  });

  test('saves nothing in a dry run', async () => {
    const report = await plant.run(SCRIPT, {}, true);
    expect(report).toMatchObject({ status: 'ok', dryRun: true });
    expect(report.writes).toHaveLength(5);
    expect(await sent()).toEqual([]);
  });
});

test.each([
  ['{ equipment: "F", reason: "Fault", startedAt: () => 1 }', 'a function'],
  ['(() => { const ring = {}; ring.in = ring; return ring; })()', 'cycle'],
  ['{ equipment: Symbol("F") }', 'symbol'],
  ['{ equipment: "F", reason: "Fault", startedAt: 2n ** 64n }', 'BigInt'],
  ['{ equipment: "F", reason: "Fault", startedAt: new Date(NaN) }', 'an invalid Date'],
  ['undefined', 'one record (an object), not null'],
  ['[]', 'an array of 0'],
])('a script that sends %s gets the reason, and nothing is sent', async (value, why) => {
  const body = `TagValueManager.Set([{ tag: 'Bottling.Erp.DowntimeNotification.Record', value: ${value} }]);`;
  const { id } = await plant.scripts.save({
    ...plant.scripts.get({ group: 'ERP', name: SCRIPT }),
    name: 'Odd',
    body,
    id: undefined,
  });
  onTestFinished(async () => void (await plant.scripts.delete({ id })));
  plant.index.push({
    group: 'ERP',
    name: 'Odd',
    context: { name: 'Odd', tagName: MOVEMENTS, diagram: null, location: null },
  });
  const report = await plant.run('Odd');
  expect(report.status).toBe('error');
  expect(JSON.stringify(report.error)).toContain(why);
  expect(await sent()).toEqual([]);
});

test('the other ERP tags of the sample accept records that match their schemas', async () => {
  const at = '2026-08-01T06:00:00Z';
  const items = [
    {
      tag: 'Bottling.Erp.DowntimeNotification.Record',
      value: { equipment: 'Line1.Filler', reason: 'Fault', startedAt: at, minutes: 4.5, priority: 2 },
    },
    {
      tag: 'Bottling.Erp.OrderConfirmation.Record',
      value: {
        order: 4711,
        operation: '0010',
        yield: 95_800,
        scrap: 200,
        machineMinutes: 240,
        final: false,
        confirmedAt: at,
      },
    },
  ];
  await plant.tags.set({ items });
  expect((await sent()).map(({ record }) => record)).toEqual(items.toReversed().map(({ value }) => value));
});
