import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../../src-main/platform/log.ts';
import { openWorkbench } from '../../../../src-main/workbench.ts';
import { builtProduct, ROOT } from '../../../support/product/product.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

beforeAll(() => builtProduct());

async function opened(directory: string, oneShot: boolean, logged: string[] = []) {
  const log = createLog({ write: (line) => void logged.push(line) });
  const workbench = await openWorkbench({ directory, root: ROOT, createSample: true, oneShot, eventsPort: 0, log });
  onTestFinished(() => workbench.close());
  return workbench;
}

test('the sample has two rules; one fires an event within 10 s of the first start', async () => {
  const logged: string[] = [];
  const { services } = await opened(join(temporaryFolder(), 'plant'), false, logged);
  const opening = Date.now();
  const rules = services.rules.list();
  expect(rules.map(({ name, triggersEvents }) => [name, triggersEvents])).toEqual([
    ['Fill volume check', true],
    ['Line report', false],
  ]);
  const fired = async () => (await services.events.list({ active: true })).events;
  await expect.poll(async () => (await fired()).length).toBeGreaterThan(0);
  // The first of them.
  const event = (await fired()).at(-1);
  const { rows, columns } = services.rules.rows({ name: 'Fill volume check' });
  const shown = rows.map((cells) => Object.fromEntries(columns.map(({ name }, place) => [name, cells[place]])));
  const row = shown.find(({ id }) => id === event?.ResultTableRecordId) ?? {};
  // It fires when its window ends; a busy machine takes longer to store that.
  expect(row['window_end']).toBeTypeOf('string');
  expect(Date.parse(row['window_end'] as string) - opening).toBeLessThan(10_000);
  expect(event).toMatchObject({
    ResultTableName: rules[0]?.resultTable,
    ResultTableRecordId: row['id'],
    EventDateTime: row['fired_at'],
  });
  expect(Number(row['average_valve_1'])).toBeCloseTo(500, -1);
  expect(Number(row['speed'])).toBeGreaterThan(300);
  const base = services.eventsApi.status().url;
  expect(await (await fetch(`${base}/api/events/${event?.AggregationEventId}`)).json()).toEqual(event);
  expect(logged.filter((line) => line.includes('failed'))).toEqual([]);
});

test('a process for one command activates no rules, but can fire manually', async () => {
  const { services } = await opened(join(temporaryFolder(), 'plant'), true);
  await new Promise((resolve) => void setTimeout(resolve, 6_000));
  expect((await services.events.list({})).counts).toEqual({ active: 0, disabled: 0 });
  expect(await services.rules.fire({ name: 'Fill volume check', times: 3 })).toMatchObject({ fired: 3, lastEvent: 3 });
  expect((await services.events.list({})).counts).toEqual({ active: 3, disabled: 0 });
});
