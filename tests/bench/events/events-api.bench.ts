import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Finding } from '../bench.ts';
import { compare, median, repeating, timesOf } from '../compare.ts';
import { apiOfFew, apiOfMany, bareExpress, blocksServer, bufferServer, jsonServer, MANY } from './events-fixture.ts';
import { type Taken, take, takeApart } from '../http.ts';
import { lanesOf } from '../lanes.ts';

const MB = 1_000_000;
const LANES = 16;
const LISTS = 10;
const JSON = { 'Content-Type': 'application/json' };
const GZIP = { headers: { 'Accept-Encoding': 'gzip' } };

/** A figure without a goal, because there is nothing to compare with. */
const notInstalled: Finding = {
  figure: Number.NaN,
  detail: 'NOT MEASURED: json-server is not installed. "npm --prefix tests/bench/json-server ci" installs it.',
};

let next = 0;
/** One of a million ids, spread evenly. */
function someId(): number {
  next = (next + 618_033) % MANY;
  return next + 1;
}

/** kB a second. */
async function byteRate(url: string): Promise<number> {
  const { bytes, ms } = await take(url);
  return bytes / ms;
}

async function put(url: string, id: number, body: string): Promise<void> {
  const { status } = await take(`${url}/${id}`, { method: 'PUT', headers: JSON, body });
  if (status !== 200) throw new Error(`PUT answered ${status}`);
}

export const benches: Bench[] = [
  {
    area: 'events API',
    name: 'a list of 1,000,000 active events, against the same bytes from a buffer',
    unit: '×',
    goal: { atMost: 1.5 },
    async run() {
      const [{ url }, buffer] = [await apiOfMany(), await bufferServer()];
      // Blocks are kept when they are rendered a second time.
      for (let round = 0; round < 2; round += 1) await take(`${url}/api/events`);
      const rounds: { ours: number; peer: number; bytes: number }[] = [];
      for (let round = 0; round < 9; round += 1) {
        const ours = await take(`${url}/api/events`);
        const peer = await take(buffer);
        if (ours.bytes !== peer.bytes) throw new Error(`${ours.bytes} bytes are not the ${peer.bytes} of the buffer`);
        rounds.push({ ours: ours.ms, peer: peer.ms, bytes: ours.bytes });
      }
      const ours = median(rounds.map((round) => round.ours));
      return {
        figure: median(rounds.map((round) => round.ours / round.peer)),
        detail: `${((rounds[0]?.bytes ?? 0) / MB).toFixed(0)} MB in ${(ours / 1_000).toFixed(2)} s, from a buffer in ${(median(rounds.map((round) => round.peer)) / 1_000).toFixed(2)} s`,
      };
    },
  },
  {
    area: 'events API',
    name: 'a list of 1,000,000 active events with gzip',
    unit: 'ms',
    goal: { atMost: 250 },
    async run() {
      const { url } = await apiOfMany();
      const rounds: Taken[] = [];
      for (let round = 0; round < 5; round += 1) rounds.push(await take(`${url}/api/events`, GZIP));
      return {
        figure: median(rounds.map(({ ms }) => ms)),
        detail: `${((rounds[0]?.bytes ?? 0) / MB).toFixed(0)} MB; the first one took ${(rounds[0]?.ms ?? 0).toFixed(0)} ms`,
      };
    },
  },
  {
    area: 'events API',
    name: 'a poll after one of 1,000,000 events changed, with gzip, against sending cached blocks',
    unit: '×',
    goal: { atMost: 1.2 },
    async run() {
      const [{ url }, blocks] = [await apiOfMany(), await blocksServer()];
      await take(`${url}/api/events`, GZIP);
      await take(blocks);
      const rounds: { changed: number; same: number; cached: number }[] = [];
      for (let round = 0; round < 15; round += 1) {
        const cached = await take(blocks);
        const same = await take(`${url}/api/events`, GZIP);
        const id = someId();
        await put(`${url}/api/events`, id, '{"Active":false}');
        const changed = await take(`${url}/api/events`, GZIP);
        await put(`${url}/api/events`, id, '{"Active":true}');
        await take(`${url}/api/events`, GZIP);
        if (same.bytes !== cached.bytes)
          throw new Error(`${same.bytes} bytes are not the ${cached.bytes} of the blocks`);
        rounds.push({ changed: changed.ms, same: same.ms, cached: cached.ms });
      }
      const [changed, same] = [median(rounds.map((r) => r.changed)), median(rounds.map((r) => r.same))];
      return {
        figure: median(rounds.map((r) => r.changed / r.cached)),
        detail: `${changed.toFixed(0)} ms against ${median(rounds.map((r) => r.cached)).toFixed(0)} ms; our list without a change ${same.toFixed(0)} ms`,
      };
    },
  },
  {
    area: 'events API',
    name: 'a list of 1,000,000 events: bytes a second, against json-server',
    unit: '×',
    goal: { atLeast: 3 },
    async run() {
      const [{ url }, peer] = [await apiOfMany(), await jsonServer()];
      if (peer === null) return notInstalled;
      const rounds: { ours: number; theirs: number }[] = [];
      for (let round = 0; round < 3; round += 1) {
        rounds.push({ ours: await byteRate(`${url}/api/events`), theirs: await byteRate(`${peer}/events`) });
      }
      const [ours, theirs] = [median(rounds.map((r) => r.ours)), median(rounds.map((r) => r.theirs))];
      return {
        figure: median(rounds.map((round) => round.ours / round.theirs)),
        detail: `${(ours / 1_000).toFixed(0)} MB/s against ${(theirs / 1_000).toFixed(0)} MB/s`,
      };
    },
  },
  {
    area: 'events API',
    name: 'how long another request waits while 1,000,000 events are listed: 99 %',
    unit: 'ms',
    goal: { atMost: 15 },
    async run() {
      const { url } = await apiOfMany();
      const waits: number[] = [];
      for (let round = 0; round < LISTS; round += 1) {
        const list = { done: false };
        // Read by another process, so that the load of this one does not count as the server's.
        const taken = takeApart(`${url}/api/events`).then(() => (list.done = true));
        while (!list.done) {
          waits.push((await take(`${url}/api/events/${someId()}`)).ms);
          await delay(2);
        }
        await taken;
      }
      const sorted = waits.toSorted((a, b) => a - b);
      return {
        figure: sorted[Math.floor((sorted.length - 1) * 0.99)] ?? Number.NaN,
        detail: `longest ${Math.max(...waits).toFixed(0)} ms, ${waits.length} requests during ${LISTS} lists`,
      };
    },
  },
  {
    area: 'events API',
    name: 'memory that a list of 1,000,000 events takes',
    unit: 'MB',
    goal: { atMost: 64 },
    async run() {
      const api = await apiOfMany();
      await take(`${api.url}/api/events?limit=1000`);
      await api.usage();
      const before = await api.usage();
      await take(`${api.url}/api/events`);
      const { rss } = await api.usage();
      return {
        figure: Math.max(0, rss - before.rss) / MB,
        detail: `resident memory from ${(before.rss / MB).toFixed(0)} to at most ${(rss / MB).toFixed(0)} MB`,
      };
    },
  },
  {
    area: 'events API',
    name: `a 304, against a list of 1,000 events: CPU time of the server, ${LANES} clients`,
    unit: '×',
    goal: { atLeast: 20 },
    async run() {
      const api = await apiOfFew();
      const { etag } = await take(`${api.url}/api/events`);
      const cost = async (headers: Record<string, string>, status: number, times: number) => {
        const before = await api.usage();
        const poll = () =>
          timesOf(async () => {
            const taken = await take(`${api.url}/api/events`, { headers });
            if (taken.status !== status) throw new Error(`${taken.status} is not ${status}`);
          }, times / LANES);
        await Promise.all(Array.from({ length: LANES }, poll));
        return ((await api.usage()).cpu - before.cpu) / times;
      };
      await cost({}, 200, 320);
      await cost({ 'If-None-Match': etag }, 304, 3_200);
      const rounds: { list: number; unchanged: number }[] = [];
      for (let round = 0; round < 5; round += 1) {
        rounds.push({
          list: await cost({}, 200, 320),
          unchanged: await cost({ 'If-None-Match': etag }, 304, 4_000),
        });
      }
      const [list, unchanged] = [median(rounds.map((r) => r.list)), median(rounds.map((r) => r.unchanged))];
      return {
        figure: median(rounds.map((round) => round.list / round.unchanged)),
        detail: `${unchanged.toFixed(0)} µs against ${list.toFixed(0)} µs`,
      };
    },
  },
  {
    area: 'events API',
    name: `GET of one event of 1,000,000, ${LANES} at a time, against bare Express with the same statement`,
    unit: '×',
    goal: { atLeast: 0.8 },
    async run() {
      const [{ url }, bare] = [await apiOfMany(), await bareExpress()];
      const get = (host: string) => `GET /api/events/${someId()} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
      const { ratio, ours, peer } = await compare(lanesOf(url, LANES, get), lanesOf(bare, LANES, get), { ms: 1_000 });
      return { figure: ratio, detail: `${ours.toFixed(0)}/s against ${peer.toFixed(0)}/s` };
    },
  },
  {
    area: 'events API',
    name: `PUT of one event of 1,000,000, ${LANES} at a time, against bare Express with the same statements and group commit`,
    unit: '×',
    goal: { atLeast: 0.8 },
    async run() {
      const [{ url }, bare] = [await apiOfMany(), await bareExpress()];
      const change = (active: boolean) => (host: string) => {
        const body = `{"Active": ${active}}`;
        const head = `PUT /api/events/${someId()} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json`;
        return `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      };
      // Every PUT changes its event: the ids repeat only after a million.
      const { ratio, ours, peer } = await compare(
        lanesOf(url, LANES, change(false)),
        lanesOf(bare, LANES, change(false)),
        { ms: 1_000 },
      );
      return { figure: ratio, detail: `${ours.toFixed(0)}/s against ${peer.toFixed(0)}/s, answered after the commit` };
    },
  },
  {
    area: 'events API',
    name: `GET of one event of 1,000,000, ${LANES} at a time, against json-server`,
    unit: '×',
    goal: { atLeast: 5 },
    async run() {
      const [{ url }, peer] = [await apiOfMany(), await jsonServer()];
      if (peer === null) return notInstalled;
      const {
        ratio,
        ours,
        peer: theirs,
      } = await compare(
        repeating(() => take(`${url}/api/events/${someId()}`), LANES),
        repeating(() => take(`${peer}/events/${someId()}`), LANES),
        { rounds: 3, ms: 1_500 },
      );
      return { figure: ratio, detail: `${ours.toFixed(0)}/s against ${theirs.toFixed(1)}/s` };
    },
  },
  {
    area: 'events API',
    name: `PUT of one event of 1,000,000, ${LANES} at a time, against json-server; answered after the commit`,
    unit: '×',
    goal: { atLeast: 5 },
    async run() {
      const [{ url }, peer] = [await apiOfMany(), await jsonServer()];
      if (peer === null) return notInstalled;
      const {
        ratio,
        ours,
        peer: theirs,
      } = await compare(
        repeating(() => put(`${url}/api/events`, someId(), '{"Active": false}'), LANES),
        repeating(() => put(`${peer}/events`, someId(), '{"Active": false}'), LANES),
        { rounds: 3, ms: 1_500 },
      );
      return { figure: ratio, detail: `${ours.toFixed(0)}/s against ${theirs.toFixed(2)}/s` };
    },
  },
];
