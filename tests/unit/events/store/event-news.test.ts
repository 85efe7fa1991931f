import { expect, onTestFinished, test } from 'vitest';
import type { EventChanges } from '#domain/event/event';
import { EventNews } from '../../../../src-main/events/store/event-news.ts';

function open(counts: () => Promise<EventChanges['counts']> = async () => ({ active: 1, disabled: 0 })) {
  const news = new EventNews(counts);
  onTestFinished(() => news.close());
  const received: EventChanges[] = [];
  news.onChange((changes) => received.push(changes));
  return { news, received };
}

test('changes during a notification are merged, and sent 100 ms later at the earliest', async () => {
  let active = 0;
  const { news, received } = open(async () => ({ active: (active += 1), disabled: 0 }));
  const begun = performance.now();
  news.changed();
  await expect.poll(() => received.length, { interval: 1 }).toBe(1);
  for (let n = 0; n < 3; n += 1) news.changed();
  await expect.poll(() => received.length, { interval: 1 }).toBe(2);
  expect(performance.now() - begun).toBeGreaterThan(90);
  expect(received).toEqual([{ counts: { active: 1, disabled: 0 } }, { counts: { active: 2, disabled: 0 } }]);
});

test('nothing is counted without listeners, and missed counts come with a change', async () => {
  let requests = 0;
  const { news, received } = open(async () => {
    requests += 1;
    if (requests === 1) throw new Error('the workspace is closed');
    return { active: requests, disabled: 0 };
  });
  news.changed();
  await expect.poll(() => requests).toBe(1);
  expect(received).toEqual([]);
  news.changed();
  await expect.poll(() => received).toEqual([{ counts: { active: 2, disabled: 0 } }]);
  const alone = new EventNews(() => Promise.reject(new Error('there are no listeners')));
  onTestFinished(() => alone.close());
  alone.changed();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const late: EventChanges[] = [];
  alone.onChange((changes) => late.push(changes));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(late).toEqual([]);
});

test('a change while the counts are read is sent after them', async () => {
  const reads: ((counts: EventChanges['counts']) => void)[] = [];
  const { news, received } = open(() => new Promise((resolve) => reads.push(resolve)));
  news.changed();
  await expect.poll(() => reads.length).toBe(1);
  news.changed();
  reads[0]?.({ active: 1, disabled: 0 });
  await expect.poll(() => reads.length).toBe(2);
  reads[1]?.({ active: 2, disabled: 0 });
  await expect.poll(() => received.map(({ counts }) => counts.active)).toEqual([1, 2]);
});
