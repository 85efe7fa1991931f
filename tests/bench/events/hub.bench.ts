import { execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { newKey } from '../../../src-main/hub/gateway/consumer-keys.ts';
import { HubConsumers } from '../../../src-main/storage/hub/hub-consumers.ts';
import type { HubDatabase } from '../../../src-main/storage/hub/hub-database.ts';
import { CHANGE, listStatement } from '../../../src-main/storage/hub/hub-events.ts';
import { EventStreamClient } from '../../support/hub/event-stream.ts';
import { createHub } from '../../support/hub/hub-site.ts';
import { postgresPrograms } from '../../support/hub/postgres.ts';
import type { Bench, Finding } from '../bench.ts';
import { compare, median, timesOf } from '../compare.ts';
import { fire, kept, mirrorAll, noPostgres, withHub, withPostgres, withSite } from './hub-fixture.ts';
import { take, takeApart } from '../http.ts';
import { lanesOf } from '../lanes.ts';
import { longestTurn } from '../process/longest-turn.ts';
import { runCopyLoop } from '../peers/copy-loop.ts';

const run = promisify(execFile);
/** Events with their rows in a round of the mirror. */
const MIRRORED = 50_000;
const ROUNDS = 5;
const LISTED = 1_000_000;
const CHANGED = 10_000;
/** As many as a gateway has to the hub. */
const LANES = 16;
const FIRINGS_PER_SECOND = 1_000;
const FOR_SECONDS = 10;
const COPIED = `(FORMAT csv, DELIMITER E'\\x02', QUOTE E'\\x01')`;
const ACTIVE = { ruleId: null, active: true, from: null, to: null, after: null, limit: null } as const;

const whole = (value: number) => Math.round(value).toLocaleString('en');

interface MirrorRound {
  /** Seconds for a new site, for one that was offline since before its first event, and for the loop. */
  list: number;
  feed: number;
  loop: number;
}

/** The last round is not compared: the longest turn of this process in it, ms. Looking for it takes a processor. */
const mirrorCosts = kept(() =>
  withPostgres((server) =>
    withSite(async (site) => {
      for (let n = 0; n < MIRRORED; n += 500) await fire(site, 500);
      let hubs = 0;
      const mirrorTo = async (isNew: boolean): Promise<number> => {
        hubs += 1;
        const { hub, url } = await createHub(server, `hub_${hubs}`);
        const { nextStep } = site.store.mirrorState.get();
        if (!isNew) await hub.query('UPDATE sites SET step = $1, source_seq = 0', [nextStep]);
        const seconds = await mirrorAll(site, url);
        await hub.close();
        return seconds;
      };
      const copyTo = () => {
        hubs += 1;
        return withHub(server, `hub_${hubs}`, (hub, url) => runCopyLoop(hub, url, site.store.database.name));
      };
      // Loads the library of PostgreSQL, and compiles everything.
      for (const isNew of [true, false]) await mirrorTo(isNew);
      await copyTo();
      const rounds: MirrorRound[] = [];
      for (let round = 0; round < ROUNDS; round += 1)
        rounds.push({ list: await mirrorTo(true), feed: await mirrorTo(false), loop: await copyTo() });
      const turns: number[] = [];
      for (const isNew of [true, false]) turns.push(await longestTurn(() => mirrorTo(isNew)));
      return { rounds, turns };
    }),
  ),
);

interface GatewayUnderTest {
  url: string;
  headers: { 'X-API-Key': string };
  /** The highest resident memory since the previous call, bytes. */
  rss(): Promise<number>;
}

/** Runs the work with a gateway in a separate process. */
async function withGateway<T>(
  hub: HubDatabase,
  url: string,
  work: (gateway: GatewayUnderTest) => Promise<T>,
): Promise<T> {
  const { id, key, keyHash } = newKey();
  await new HubConsumers(hub).add({ id, name: 'bench', sites: null, rights: ['read', 'disable', 'delete'], keyHash });
  const child = fork(resolve(import.meta.dirname, '../servers/gateway.ts'), [url]);
  const message = async (): Promise<Record<string, unknown>> => {
    const [first]: unknown[] = await once(child, 'message');
    return Object(first);
  };
  const rss = async () => {
    const response = message();
    child.send('usage');
    return Number((await response)['rss']);
  };
  try {
    return await work({ url: String((await message())['url']), headers: { 'X-API-Key': key }, rss });
  } finally {
    child.kill('SIGKILL');
  }
}

/** A site with active events that only the hub has. */
async function addEvents(hub: HubDatabase, count: number): Promise<void> {
  await hub.query(`INSERT INTO sites (site, role, mirrored_at) VALUES ('leeds', 'leeds', now())`);
  for (let done = 0; done < count; done += 100_000) {
    await hub.query(
      `INSERT INTO events (site, id, rule_id, event_date_time, at_ms, active, result_table_name, result_table_record_id)
       SELECT 'leeds', n, 1 + n % 20, to_char(timestamp '2026-01-01' + n * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS.MS') || '+00:00',
         1767225600000 + n::bigint * 1000, true, 'result_' || 1 + n % 20, n FROM generate_series($1::integer, $2::integer) n`,
      [done + 1, Math.min(done + 100_000, count)],
    );
  }
  await hub.query('VACUUM ANALYZE events');
}

const listCosts = kept(() =>
  withPostgres((server) =>
    withHub(server, 'lists', async (hub, url) => {
      await addEvents(hub, LISTED);
      return withGateway(hub, url, async (gateway) => {
        const list = () => takeApart(`${gateway.url}/sites/leeds/api/events`, gateway.headers);
        const copy = async () => {
          const statement = `COPY (${listStatement(['leeds'], ACTIVE, false)}) TO STDOUT WITH ${COPIED}`;
          const env = { ...process.env, PGOPTIONS: '-c search_path=tagwright' };
          const child = spawn(join(postgresPrograms() ?? '', 'psql'), ['-qX', '-c', statement, url], {
            env,
            stdio: ['ignore', 'ignore', 'inherit'],
          });
          await once(child, 'exit');
        };
        await take(`${gateway.url}/sites/leeds/api/events/1`, { headers: gateway.headers });
        await gateway.rss();
        await pause(500);
        // Before the first list.
        const before = await gateway.rss();
        await list();
        await copy();
        const others: number[] = [];
        const lists: number[] = [];
        const copies: number[] = [];
        for (let round = 0; round < 3; round += 1) {
          copies.push(...(await timesOf(copy, 1)));
          lists.push(...(await timesOf(list, 1)));
        }
        const over = new AbortController();
        const asking = (async () => {
          for (let n = 1; !over.signal.aborted; n += 7_919) {
            const one = `${gateway.url}/sites/leeds/api/events/${(n % LISTED) + 1}`;
            others.push((await take(one, { headers: gateway.headers })).ms);
            await pause(5);
          }
        })();
        await list();
        await list();
        over.abort();
        await asking;
        const p99 = others.toSorted((a, b) => a - b)[Math.floor(others.length * 0.99)] ?? 0;
        const grown = ((await gateway.rss()) - before) / 2 ** 20;
        return {
          list: median(lists),
          copy: median(copies),
          p99,
          count: others.length,
          grown,
          before: before / 2 ** 20,
        };
      });
    }),
  ),
);

/** PUT at a gateway, and pgbench with the statement of a PUT on as many connections. */
async function putRates(): Promise<Finding> {
  return withPostgres((server) =>
    withHub(server, 'puts', async (hub, url) => {
      await addEvents(hub, CHANGED);
      return withGateway(hub, url, async (gateway) => {
        let id = 0;
        const body = '{"Active":false}';
        const ours = lanesOf(gateway.url, LANES, (host) => {
          id = ((id + 6_183) % CHANGED) + 1;
          return `PUT /sites/leeds/api/events/${id} HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${gateway.headers['X-API-Key']}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
        });
        const folder = mkdtempSync(join(tmpdir(), 'tagwright-bench-'));
        const script = join(folder, 'put.sql');
        writeFileSync(script, pgbenchScript());
        const peer = async (ms: number) => {
          const args = ['-n', '-M', 'prepared', '-c', `${LANES}`, '-T', `${Math.ceil(ms / 1_000)}`, '-f', script];
          const env = { ...process.env, PGOPTIONS: '-c search_path=tagwright' };
          const target = ['-h', '127.0.0.1', '-p', `${server.port}`, '-U', 'postgres', 'puts'];
          const { stdout } = await run(join(postgresPrograms() ?? '', 'pgbench'), [...args, ...target], { env });
          return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
        };
        try {
          const found = await compare(ours, peer, { rounds: 5, ms: 2_000 });
          const detail = `${whole(found.ours)} PUT/s, pgbench ${whole(found.peer)}/s, ${LANES} connections each`;
          return { figure: found.ratio, detail };
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      });
    }),
  );
}

function pgbenchScript(): string {
  const values = [`'leeds'`, ':id', '0', `'bench'`, ':shard', `'disable'`, `'127.0.0.1'`];
  // A colon and a word is a variable of pgbench, also in a text.
  const statement = CHANGE.replaceAll(/":(true|false)/g, `":' || '$1`).replaceAll(
    /\$(\d)/g,
    (_, n) => values[n - 1] ?? '',
  );
  return `\\set id random(1, ${CHANGED})\n\\set shard random(0, 63)\n${statement};\n`;
}

/** How long changes take in both directions while rules fire, in ms. */
const travelTimes = kept(() =>
  withPostgres((server) =>
    withSite(async (site) => {
      const { hub, url } = await createHub(server, 'travel');
      await fire(site, 10_000);
      await mirrorAll(site, url);
      const mirror = site.mirror(url);
      const found = await withGateway(hub, server.url('travel'), async (gateway) => {
        const stream = await EventStreamClient.open(`${gateway.url}/sites/leeds/api/events`, '', gateway.headers);
        while (stream.messages.length < 10_000) await pause(20);
        const [fired, up, wanted, down]: [Map<number, number>, number[], Map<number, number>, number[]] = [
          new Map(),
          [],
          new Map(),
          [],
        ];
        let seen = stream.messages.length;
        stream.response.on('data', () => {
          for (; seen < stream.messages.length; seen += 1) {
            const { event, data } = stream.messages[seen] ?? { event: '', data: '{}' };
            const at = fired.get(JSON.parse(data).AggregationEventId);
            if (event === 'created' && at !== undefined) up.push(performance.now() - at);
          }
        });
        const unlisten = site.events.onFeed(() => {
          for (const [id, at] of wanted) {
            if (site.events.get(id)?.Active !== false) continue;
            wanted.delete(id);
            down.push(performance.now() - at);
          }
        });
        const began = performance.now();
        for (let n = 0; n < FOR_SECONDS * 20; n += 1) {
          await pause(Math.max(0, began + n * 50 - performance.now()));
          const last = await fire(site, FIRINGS_PER_SECOND / 20);
          fired.set(last, performance.now());
          if (n % 2 === 0) {
            const id = 1 + n;
            wanted.set(id, performance.now());
            const body = '{"Active":false}';
            const headers = { ...gateway.headers, 'Content-Type': 'application/json' };
            void take(`${gateway.url}/sites/leeds/api/events/${id}`, { method: 'PUT', headers, body });
          }
        }
        const until = performance.now() + 5_000;
        while ((up.length < fired.size || wanted.size > 0) && performance.now() < until) await pause(20);
        unlisten();
        if (up.length < fired.size || wanted.size > 0) throw new Error('some changes did not arrive within 5 s');
        stream.response.destroy();
        return { up, down };
      });
      await mirror.close();
      await hub.close();
      return found;
    }),
  ),
);

const AREA = 'hub';

export const benches: Bench[] = [
  {
    area: AREA,
    name: 'the mirror of a site, against COPY by hand',
    unit: '×',
    goal: { atLeast: 0.8 },
    skip: noPostgres,
    async run() {
      const { rounds } = await mirrorCosts();
      const of = (key: keyof MirrorRound) => whole(MIRRORED / median(rounds.map((round) => round[key])));
      const against = (key: 'list' | 'feed') => median(rounds.map((round) => round.loop / round[key]));
      const detail = `${of('feed')} events/s after a time offline, ${of('list')} of a new site, ${of('loop')} by hand; ${whole(MIRRORED)} events with rows`;
      return { figure: Math.min(against('feed'), against('list')), detail };
    },
  },
  {
    area: AREA,
    name: 'the longest turn of main while it mirrors',
    unit: 'ms',
    goal: { atMost: 20 },
    skip: noPostgres,
    async run() {
      const { turns } = await mirrorCosts();
      const [list = 0, feed = 0] = turns.map((turn) => turn.toFixed(1));
      return { figure: Math.max(...turns), detail: `after a time offline ${feed} ms, of a new site ${list} ms` };
    },
  },
  {
    area: AREA,
    name: 'a list of a million events through a gateway, against psql',
    unit: '×',
    goal: { atMost: 1.3 },
    skip: noPostgres,
    async run() {
      const { list, copy } = await listCosts();
      return { figure: list / copy, detail: `${whole(list)} ms, COPY of the same texts by psql ${whole(copy)} ms` };
    },
  },
  {
    area: AREA,
    name: 'other requests during lists, p99',
    unit: 'ms',
    goal: { atMost: 50 },
    skip: noPostgres,
    async run() {
      const { p99, count } = await listCosts();
      return { figure: p99, detail: `of ${count} GETs of one event` };
    },
  },
  {
    area: AREA,
    name: 'memory of the gateway during lists',
    unit: 'MB',
    goal: { atMost: 64 },
    skip: noPostgres,
    async run() {
      const { grown, before } = await listCosts();
      return { figure: grown, detail: `above ${whole(before)} MB before` };
    },
  },
  {
    area: AREA,
    name: 'PUT at a gateway, against pgbench with its statement',
    unit: '×',
    goal: { atLeast: 0.7 },
    skip: noPostgres,
    run: putRates,
  },
  {
    area: AREA,
    name: 'a change in both directions at 1,000 firings/s',
    unit: 's',
    goal: { atMost: 1 },
    skip: noPostgres,
    async run() {
      const { up, down } = await travelTimes();
      const of = (times: number[]) => `${whole(median(times))} ms, at most ${whole(Math.max(...times))} ms`;
      const detail = `an event to a stream of a gateway ${of(up)}; a PUT at a gateway to the site ${of(down)}`;
      return { figure: Math.max(...up, ...down) / 1_000, detail };
    },
  },
];
