import { expect, onTestFinished, test } from 'vitest';
import type { AggregationEvent, EventChanges } from '#domain/event/event';
import { EventNews } from '../../../../src-main/events/store/event-news.ts';

const event = (id: number): AggregationEvent => ({
  AggregationEventId: id,
  RuleId: 1,
  EventDateTime: '2026-01-02T03:04:05.678+01:00',
  Active: true,
  ResultTableName: 'agg_1_a',
  ResultTableRecordId: id,
});

function open(counts: () => Promise<EventChanges['counts']> = async () => ({ active: 1, disabled: 0 })) {
  const news = new EventNews({ version: () => 7, counts });
  onTestFinished(() => news.close());
  const told: EventChanges[] = [];
  news.onChange((changes) => told.push(changes));
  return { news, told };
}

test('changes during a notification are merged, and sent 100 ms later at the earliest', async () => {
  const { news, told } = open();
  const begun = performance.now();
  news.changed(event(1));
  await expect.poll(() => told.length, { interval: 1 }).toBe(1);
  for (const id of [2, 3]) news.changed(event(id));
  news.deleted(3);
  await expect.poll(() => told.length, { interval: 1 }).toBe(2);
  expect(performance.now() - begun).toBeGreaterThan(90);
  expect(told[0]).toEqual({
    version: 7,
    counts: { active: 1, disabled: 0 },
    events: [event(1)],
    deleted: [],
    more: false,
  });
  expect(told[1]).toMatchObject({ events: [event(2)], deleted: [3] });
});

test('nothing is counted without listeners, and missed counts come with a change', async () => {
  let asked = 0;
  const { news, told } = open(async () => {
    asked += 1;
    if (asked === 1) throw new Error('the workspace is closed');
    return { active: asked, disabled: 0 };
  });
  news.changed(event(1));
  await expect.poll(() => asked).toBe(1);
  expect(told).toEqual([]);
  news.changed(event(2));
  await expect.poll(() => told).toMatchObject([{ counts: { active: 2 }, events: [event(1), event(2)] }]);
  const alone = new EventNews({
    version: () => 1,
    counts: () => Promise.reject(new Error('nobody is there to be told')),
  });
  onTestFinished(() => alone.close());
  alone.changed(event(1));
  await new Promise((resolve) => setTimeout(resolve, 20));
  const late: EventChanges[] = [];
  alone.onChange((changes) => late.push(changes));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(late).toEqual([]);
});
