import { afterAll, beforeAll, describe, expect, test, onTestFinished } from 'vitest';
import type { Json } from '#domain/text/json';
import { isUsable } from '#domain/tag/quality';
import type { TagValue } from '#domain/tag/tag';
import { thrownBy } from '../../../support/thrown-by.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';
import { installSample } from '../../../../src-main/workspace/sample/sample-workspace.ts';
import type { SamplePlant } from './sample-plant.ts';
import { samplePlant } from './sample-plant.ts';

const BROKEN = 'Bottling.Line2.Labeller.GlueTemperature.Value';
let plant: SamplePlant;

beforeAll(async () => {
  plant = await samplePlant();
});
afterAll(() => plant.close());

const valueOf = async (path: string) => (await plant.tags.get({ paths: [path] }))[0]?.value;

describe('the sample plant', () => {
  test('has tags that can all be read, except the intentionally broken sensor', async () => {
    const { tags } = plant;
    const { tags: definitions, total } = tags.definitions.list({});
    expect(total).toBeGreaterThanOrEqual(60);
    const kinds = [...new Set(definitions.map(({ kind }) => kind))];
    expect(kinds).toEqual(expect.arrayContaining(['machine', 'storage', 'erp', 'db', 'calculation', 'script']));
    const values: TagValue[] = await tags.get({ paths: definitions.map(({ path }) => path) });
    expect(values.filter(({ quality }) => !isUsable(quality) && quality !== 'BadNotReadable')).toMatchObject([
      { path: BROKEN, quality: 'BadSensorFailure' },
    ]);
    const writeOnly = values.filter(({ quality }) => quality === 'BadNotReadable').map(({ path }) => path);
    expect(writeOnly).toEqual(['Bottling.Erp.GoodsMovement.Post', 'Bottling.Line1.Order.Start.Value']);
    expect(definitions.filter(({ description }) => description === '')).toEqual([]);
    expect(plant.logged).toEqual([]);
  });

  test('has every script of its index, with a context that has a tag', () => {
    const { scripts, tags } = plant;
    expect(scripts.list().scripts.map(({ group, name }) => ({ group, name }))).toHaveLength(plant.index.length);
    for (const { group, name, context } of plant.index) {
      expect(scripts.get({ group, name }).description).not.toBe('');
      expect(tags.definitions.definition({ path: context.tagName }).path).toBe(context.tagName);
    }
  });

  test('has scripts that all run with their suggested context, as dry runs', async () => {
    for (const { name } of plant.index) {
      const report = await plant.run(name, {}, true);
      expect(report).toMatchObject({ status: 'ok', error: null });
    }
  });
});

describe('its DB tags', () => {
  test('read one value or rows, and write the members of an object', async () => {
    const { tags } = plant;
    expect(await valueOf('Bottling.Line1.Orders.Open.Value')).toBe(3);
    expect(await valueOf('Bottling.Line1.Orders.NextDue.Value')).toBe('2026-08-03T00:00:00.000Z');
    expect(await valueOf('Bottling.Line1.Shifts.Best.Value')).toMatchObject([{ leader: 'Okafor', bottles: 178_100 }]);
    const order = { number: 4720, product: 'Cola 0.5 l', quantity: 96_000, due: '2026-08-06' };
    const inspection = {
      at: '2026-08-01T06:00:00.000Z',
      characteristic: 'pH',
      measured: 7.1,
      limits: { low: 6.5, high: 8 },
    };
    const items = [
      { tag: 'Bottling.Line1.Orders.List.Value', value: order },
      { tag: 'Bottling.Line1.Quality.Log.Value', value: inspection },
    ];
    await tags.set({ items });
    expect(await valueOf('Bottling.Line1.Orders.List.Value')).toContainEqual({ ...order, state: 'planned' });
    expect(await valueOf('Bottling.Line1.Quality.Log.Value')).toContainEqual({
      at: inspection.at,
      characteristic: 'pH',
      measured: 7.1,
      ...inspection.limits,
      ok: 1,
    });
    const error = await thrownBy(() => tags.set({ items }));
    expect(error.message).toContain('UNIQUE constraint failed: orders.number');
    expect(await valueOf('Bottling.Line1.Quality.Log.Value')).toHaveLength(5);
  });
});

describe('its calculations and script tags', () => {
  test('OeeLive: multiplies values of machine tags', async () => {
    const { tags } = plant;
    const given = {
      'Shift.ElapsedMinutes': 240,
      'Shift.RunMinutes': 216,
      'Filler.BottlesFilled': 81_648,
      'Filler.Rejects': 500,
      'Capper.Rejects': 300,
      'Checkweigher.Rejects': 16.48,
    };
    const items = Object.entries(given).map(([name, value]) => ({
      tag: `Bottling.Line1.${name}.Value`,
      value: Math.floor(value),
    }));
    await tags.set({ items });
    onTestFinished(async () => void (await tags.release({ paths: items.map(({ tag }) => tag) })));
    expect(await valueOf('Bottling.Line1.OeeLive.Availability.Value')).toBe(0.9);
    expect(await valueOf('Bottling.Line1.OeeLive.Performance.Value')).toBe(0.9);
    expect(await valueOf('Bottling.Line1.OeeLive.Oee.Value')).toBe(80.2);
    expect(await valueOf('Bottling.Line1.Rates.Rejects.Value')).toBe(816);
  });

  test('GlueReady: has a result while the sensor is broken', async () => {
    expect(await plant.tags.get({ paths: ['Bottling.Line2.Labeller.GlueReady.Value'] })).toMatchObject([
      { value: false, quality: 'Good' },
    ]);
  });

  test("SpeedSetPoint: checks writes, stores by location, reads in the Diagram's unit", async () => {
    const { tags } = plant;
    const tag = 'Bottling.Line1.Filler.SpeedSetPoint.Value';
    await tags.set({ items: [{ tag, value: 450 }], location: 'Line2' });
    const [at, manager] = await Promise.all([
      tags.get({ paths: [tag], location: 'Line2' }),
      tags.get({ paths: [tag], diagram: 'Manager' }),
    ]);
    expect([at[0]?.value, manager[0]?.value]).toEqual([450, 420 * 60]);
    await expect(async () => tags.set({ items: [{ tag, value: 500 }] })).rejects.toThrow('from 0 to 460');
    await expect(async () => tags.set({ items: [{ tag, value: 300 }] })).rejects.toThrow('in steps of at most 60');
  });

  test('Order.Start: starts an order, or rejects it as its script does', async () => {
    const tag = 'Bottling.Line1.Order.Start.Value';
    const order = { number: 4790, product: 'Tonic 0.2 l', quantity: 1_200 };
    await plant.tags.set({ items: [{ tag, value: order }] });
    expect(await valueOf('Bottling.Line1.Order.Number.Value')).toBe(4790);
    const refused = async () => plant.tags.set({ items: [{ tag, value: { ...order, quantity: 0 } }] });
    await expect(refused).rejects.toThrow('quantity must be more than 0');
  });
});

test('reports an incomplete sample', async () => {
  const error = await thrownBy(() => installSample(temporaryFolder(), plant));
  expect(error.code).toBe('INTERNAL');
  expect(error.message).toContain('"scripts.json" cannot be read');
});

describe('its scripts', () => {
  test('Capper keeps up: compares two tags, and is 0 if one cannot be read', async () => {
    const { tags } = plant;
    const [filler, capper] = ['Bottling.Line1.Filler.Speed.Value', 'Bottling.Line1.Capper.Speed.Value'] as [
      string,
      string,
    ];
    onTestFinished(async () => {
      await tags.release({ paths: [filler, capper] });
      await tags.force({ path: capper, quality: null });
    });
    await tags.set({
      items: [
        { tag: filler, value: 400 },
        { tag: capper, value: 410 },
      ],
    });
    const report = await plant.run('Capper keeps up');
    expect(report.result).toBe(1);
    expect(report.reads.map(({ path }) => path)).toEqual([filler, capper]);
    await tags.set({ items: [{ tag: capper, value: 390 }] });
    expect((await plant.run('Capper keeps up')).result).toBe(0);
    await tags.set({ items: [{ tag: capper, value: 410 }] });
    await tags.force({ path: capper, quality: 'BadNotConnected' });
    expect((await plant.run('Capper keeps up')).result).toBe(0);
  });

  test('Average fill volume: averages the valves, and reports a failure in storage tags', async () => {
    const { tags } = plant;
    const report = await plant.run('Average fill volume');
    expect(report.result).toBeGreaterThan(497);
    expect(report.result).toBeLessThan(503);
    expect(report.reads).toHaveLength(13);
    expect(report.writes).toEqual([]);

    const prefix = 'Bottling.Line1.Filler.ValvePrefix.Value';
    await tags.set({ items: [{ tag: prefix, value: 'Bottling.Line1.Filler.Nozzle' }] });
    onTestFinished(
      async () => void (await tags.set({ items: [{ tag: prefix, value: 'Bottling.Line1.Filler.Valve' }] })),
    );
    const failed = await plant.run('Average fill volume');
    expect(failed).toMatchObject({ status: 'ok', result: null });
    expect(failed.writes).toHaveLength(4);
    expect(await valueOf('Bottling.Scripts.Error.Active.Value')).toBe(true);
    const message = '12 of 12 valves cannot be read: Bottling.Line1.Filler.Nozzle1.FillVolume is BadNodeIdUnknown';
    expect(await valueOf('Bottling.Scripts.Error.Message.Value')).toBe(message);
    expect(await valueOf('Bottling.Scripts.Error.Log.Value')).toMatchObject({
      message,
      tag: 'Bottling.Line1.Filler.AverageFillVolume.Value',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(await valueOf('Bottling.Scripts.Error.Database.Value')).toEqual([
      {
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        tag: 'Bottling.Line1.Filler.AverageFillVolume.Value',
        message,
      },
    ]);
  });

  test('OEE of the shift: writes consistent figures', async () => {
    const { tags } = plant;
    const given = {
      'Shift.ElapsedMinutes': 240,
      'Shift.RunMinutes': 216,
      'Filler.BottlesFilled': 81_648,
      'Filler.Rejects': 500,
      'Capper.Rejects': 300,
      'Checkweigher.Rejects': 16,
    };
    const items = Object.entries(given).map(([name, value]) => ({ tag: `Bottling.Line1.${name}.Value`, value }));
    await tags.set({ items });
    onTestFinished(async () => void (await tags.release({ paths: items.map(({ tag }) => tag) })));
    const report = await plant.run('OEE of the shift');
    expect(report.result).toEqual({ Availability: 90, Performance: 90, Quality: 99, Oee: 80.2 });
    expect(await valueOf('Bottling.Line1.Oee.Oee.Value')).toBe(80.2);
    expect(report.writes.map(({ call }) => call)).toEqual([2, 2, 2, 2, 2]);
  });

  test('Count bottles over shifts: continues over the start of a shift', async () => {
    const { tags } = plant;
    const counter = 'Bottling.Line1.Filler.BottlesFilled.Value';
    onTestFinished(async () => void (await tags.release({ paths: [counter] })));
    const totals: Json[] = [];
    for (const value of [100, 250, 40, 40]) {
      await tags.set({ items: [{ tag: counter, value }] });
      totals.push((await plant.run('Count bottles over shifts')).result);
    }
    expect(totals).toEqual([100, 250, 290, 290]);
  });

  test('Start an order: stores an order, or rejects it with the reason', async () => {
    expect((await plant.run('Start an order')).result).toBe(
      'Order 4720 is started: 96000 bottles of Still water 0.5 l.',
    );
    expect(await valueOf('Bottling.Line1.Order.Number.Value')).toBe(4720);
    expect(await valueOf('Bottling.Line1.Order.Started.Value')).toMatch(/Z$/);
    const refused = await plant.run('Start an order', { tagValue: { number: 1.5, product: '' } });
    expect(refused.status).toBe('error');
    expect(refused.error?.message).toContain('number must be a whole number; product must be a text; quantity');
    const lossy = await plant.run('Start an order', { tagValue: { number: 1, product: 'Cola', quantity: 0.5 } });
    expect(lossy.error?.failures).toMatchObject([{ tag: 'Bottling.Line1.Order.Quantity.Value' }]);
    expect(lossy.console).toMatchObject([{ level: 'warn' }]);
    expect(await valueOf('Bottling.Line1.Order.Number.Value')).toBe(4720);
  });

  test('Check the sensors: finds the broken and the missing sensor', async () => {
    const suspects = [
      { tag: BROKEN, quality: 'BadSensorFailure' },
      { tag: 'Bottling.Line2.Labeller.GlueLevel.Value', quality: 'BadNodeIdUnknown' },
    ];
    expect((await plant.run('Check the sensors')).result).toEqual(suspects);
    expect(await valueOf('Bottling.Line2.Check.Report.Value')).toEqual(suspects);
  });

  test.each([
    ['Line overview', 'Line2', 'Line 2 overview', 260, 'bottles/min', 'low'],
    ['Line overview', 'Line1', 'Line overview', 400, 'bottles/min', 'normal'],
    ['Manager', 'Line2', 'Output of the day', 280, 'bottles/h', 'normal'],
    [null, null, 'Bottling', 440, 'bottles/min', 'high'],
  ])('Speed as the Diagram shows it: for %s at %s', async (diagram, location, title, speed, unit, state) => {
    const { tags } = plant;
    const line = location === 'Line2' ? 'Line2' : 'Line1';
    const tag = `Bottling.${line}.Filler.Speed.Value`;
    await tags.set({ items: [{ tag, value: speed }] });
    onTestFinished(async () => void (await tags.release({ paths: [tag] })));
    const { result } = await plant.run('Speed as the Diagram shows it', { diagram, location });
    expect(result).toEqual({ title, line, speed: `${unit === 'bottles/h' ? speed * 60 : speed} ${unit}`, state });
  });
});
