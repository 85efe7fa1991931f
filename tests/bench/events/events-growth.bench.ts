import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Finding } from '../bench.ts';
import { timesOf } from '../compare.ts';
import { fillWithEvents, startApiOver } from './events-fixture.ts';
import { take } from '../http.ts';

/** More of them are measured by `npm run bench -- scale`. */
const COUNTS = [1_000_000, 2_000_000] as const;
const ROUNDS = 5;
const GZIP = { headers: { 'Accept-Encoding': 'gzip' } };

/** What this many active events cost; times in ms, the best of some rounds. */
export interface EventsGrowth {
  events: number;
  /** From the start of a process until the events API has sent a page. */
  open: number;
  /** The whole list: without compression, and with gzip. */
  list: number;
  gzip: number;
  /** A poll with gzip after one change, and one without a change (304). */
  poll: number;
  unchanged: number;
  /** One event, and one change. */
  get: number;
  put: number;
  /** Highest resident memory of the server, MB. */
  memory: number;
}

/** Measures the events API over a workspace with this many active events, and leaves some of them disabled. */
export async function costsOfEvents(directory: string, events: number): Promise<EventsGrowth> {
  const began = performance.now();
  const api = await startApiOver(directory);
  const list = `${api.url}/api/events`;
  await take(`${list}?limit=1000`);
  const open = performance.now() - began;
  await api.usage();
  const best = async (work: () => Promise<unknown>) => Math.min(...(await timesOf(work, ROUNDS)));
  let id = 0;
  const some = () => (id = (id + Math.floor(events * 0.618)) % events) + 1;
  const change = (one: number, active: boolean) =>
    take(`${list}/${one}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: `{"Active":${active}}`,
    });
  // Blocks are kept when they are rendered a second time.
  await take(list);
  await take(list);
  const plain = await best(() => take(list));
  const gzip = await best(() => take(list, GZIP));
  const polls: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const one = some();
    await change(one, false);
    polls.push((await take(list, GZIP)).ms);
    await change(one, true);
    await take(list, GZIP);
  }
  const { etag } = await take(list, GZIP);
  const unchanged = await best(() => take(list, { headers: { ...GZIP.headers, 'If-None-Match': etag } }));
  const get = await best(() => take(`${list}/${some()}`));
  const put = await best(() => change(some(), false));
  const memory = (await api.usage()).rss / 1_000_000;
  api.close();
  return { events, open, list: plain, gzip, poll: Math.min(...polls), unchanged, get, put, memory };
}

let measured: Promise<EventsGrowth[]> | null = null;

/** For each number of events, smallest first. Measured once. */
function eventsGrowth(): Promise<EventsGrowth[]> {
  return (measured ??= (async () => {
    const all: EventsGrowth[] = [];
    const directory = mkdtempSync(join(tmpdir(), 'tagwright-bench-'));
    try {
      for (const count of COUNTS) {
        await fillWithEvents(directory, count, all.at(-1)?.events);
        all.push(await costsOfEvents(directory, count));
      }
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
    return all;
  })());
}

const growing = (name: string, of: keyof EventsGrowth, isPerEvent: boolean, goal: number): Bench => ({
  area: 'growth',
  name: `${name}, from 1 to 2 million events`,
  unit: '×',
  goal: { atMost: goal },
  async run(): Promise<Finding> {
    const all = await eventsGrowth();
    const cost = (one: EventsGrowth | undefined) => (one ? one[of] / (isPerEvent ? one.events : 1) : Number.NaN);
    const detail = all.map((one) => `${one.events / 1_000_000} M: ${one[of].toFixed(one[of] < 10 ? 1 : 0)}`).join(', ');
    return { figure: cost(all.at(-1)) / cost(all.at(0)), detail: `${detail} ${of === 'memory' ? 'MB' : 'ms'}` };
  },
});

export const benches: Bench[] = [
  growing('opening', 'open', false, 1.5),
  growing('listing, per event', 'list', true, 1.5),
  growing('listing with gzip, per event', 'gzip', true, 1.5),
  growing('a poll after one change, per event', 'poll', true, 1.5),
  growing('a poll without a change', 'unchanged', false, 1.5),
  growing('GET of one event', 'get', false, 1.5),
  growing('PUT of one event', 'put', false, 1.5),
  growing('memory', 'memory', false, 2),
];
