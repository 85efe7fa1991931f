import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { AggregationEvent } from '#domain/event/event';
import type { EventChangeKind, FeedPosition } from '#domain/event/event-change';
import { EVENT_CHANGE_KINDS } from '#domain/event/event-change';
import type { MirrorPart } from './mirror-part.ts';
import { copyJson, copyText } from './row-lines.ts';
import type { AppliedKey } from './mirror-state.ts';

/** The row of a site at the hub. */
export interface SiteRow {
  /** Whether the connection has the role of the site. */
  isOwn: boolean;
  step: string | null;
  position: FeedPosition | null;
  feed: SiteFeed;
}

/** The feed of a site at the hub. */
export interface SiteFeed {
  /** The number of its last change. */
  seq: number;
  /** The number after which it begins. */
  start: number;
}

/** A change at a gateway that the site has not cleared yet. */
export interface WantedChange extends AppliedKey {
  wanted: 0 | 1 | 2;
  by: string;
}

interface StoredEvent {
  id: string;
  rule_id: string;
  event_date_time: string;
  active: boolean;
  result_table_name: string;
  result_table_record_id: string;
}

type FeedEntry = MirrorPart['changes'][number];
/** The connection of a step. */
export type StepClient = Pick<PoolClient, 'query'>;

const EVENT_COLUMNS = 'id, rule_id, event_date_time, active, result_table_name, result_table_record_id';
/** Events that one statement sweeps. */
const SWEPT = 2_000;
/** Changes of gateways that one poll reads. */
const POLLED = 1_000;
/** Lines of COPY are sent in chunks of about this many characters. */
const CHUNK = 64 * 1_024;

/** To be run at the begin of a step: COPY can't fill tables with row-level security, so it fills these. */
export const COPY_TABLES = `
  CREATE TEMPORARY TABLE IF NOT EXISTS copied_rows
    (result_table text NOT NULL, id bigint NOT NULL, data jsonb NOT NULL) ON COMMIT DELETE ROWS;
  CREATE TEMPORARY TABLE IF NOT EXISTS copied_events
    (id bigint, rule_id bigint, event_date_time text, at_ms bigint, active boolean, result_table_name text,
     result_table_record_id bigint) ON COMMIT DELETE ROWS;
  CREATE TEMPORARY TABLE IF NOT EXISTS copied_changes
    (seq bigint, kind smallint, event_id bigint, event json) ON COMMIT DELETE ROWS`;

/** The row of a site; null if the role does not see it. `lock` waits for another step, and keeps others out. */
export async function siteOf(client: StepClient, site: string, lock: boolean): Promise<SiteRow | null> {
  const { rows } = await client.query<{
    own: boolean;
    step: string | null;
    seq: string | null;
    listed: string | null;
    feed_seq: string;
    feed_start: string;
  }>(
    `SELECT role = current_user AS own, step, source_seq AS seq, listed, feed_seq, feed_start FROM sites WHERE site = $1
     ${lock ? 'FOR UPDATE' : ''}`,
    [site],
  );
  const row = rows[0];
  if (!row) return null;
  const listed = row.listed === null ? null : Number(row.listed);
  return {
    isOwn: row.own,
    step: row.step,
    position: row.seq === null ? null : { seq: Number(row.seq), listed },
    feed: { seq: Number(row.feed_seq), start: Number(row.feed_start) },
  };
}

/**
 * The feed of a site that begins again: its numbers continue with the time in microseconds. A hub that was restored has
 * lower numbers than its clients know, and one with a new site has none: they must not be used for other changes.
 */
export async function newFeed(client: StepClient, { seq }: SiteFeed): Promise<SiteFeed> {
  const { rows } = await client.query<{ now: string }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now',
  );
  const start = Math.max(seq + 1, Number(rows[0]?.now ?? 0));
  return { seq: start, start };
}

/** Changes at gateways of the events up to an id (null: of all), oldest keys first, up to a limit. */
export async function wantedOf(client: StepClient, site: string, upTo: number | null): Promise<WantedChange[]> {
  const { rows } = await client.query<{ id: string; wanted: 0 | 1 | 2; wanted_key: string; wanted_by: string | null }>(
    `SELECT id, wanted, wanted_key, wanted_by FROM events
     WHERE site = $1 AND wanted IS NOT NULL AND ($2::bigint IS NULL OR id <= $2) ORDER BY wanted_key LIMIT ${POLLED}`,
    [site, upTo],
  );
  return rows.map(({ id, wanted, wanted_key: key, wanted_by: by }) => ({
    eventId: Number(id),
    wanted,
    key: Number(key),
    by: by ?? '',
  }));
}

/** The last row of each result table that the hub has. */
export async function marksOf(client: StepClient, site: string): Promise<Map<string, number>> {
  const { rows } = await client.query<{ result_table: string; last_id: string }>(
    'SELECT result_table, last_id FROM row_marks WHERE site = $1',
    [site],
  );
  return new Map(rows.map(({ result_table: table, last_id: id }) => [table, Number(id)]));
}

/** The hub gets all rows again. */
export async function forgetMarks(client: StepClient, site: string): Promise<void> {
  await client.query('DELETE FROM row_marks WHERE site = $1', [site]);
}

/** Nothing has changed since the step: whether the hub still has it. */
export async function touch(client: StepClient, site: string, step: string | null): Promise<boolean> {
  const { rowCount } = await client.query(
    'UPDATE sites SET mirrored_at = now() WHERE site = $1 AND step IS NOT DISTINCT FROM $2::uuid',
    [site, step],
  );
  return rowCount === 1;
}

export interface StepEnd {
  step: string;
  version: string;
  cleared: readonly AppliedKey[];
  /** Whether the hub may have some of the rows and events of the part. */
  overwrites: boolean;
  /** Called when everything is sent, and PostgreSQL works. */
  onCopied: () => void;
}

/** Writes a part in the open transaction that holds the lock of the site: rows first, the position last. */
export async function writePart(
  client: StepClient,
  { site, feed }: { site: string; feed: SiteFeed },
  part: MirrorPart,
  { step, version, cleared, overwrites, onCopied }: StepEnd,
): Promise<void> {
  const { stored, gone } = part.listed === null ? NOTHING : await compareList(client, site, part);
  const listed = part.listed === null ? [] : listedChanges(part.events, stored);
  const changes = [...part.changes, ...listed, ...gone];
  await copyAll(client, part, changes, feed.seq);
  const isInserted = insertCopied(client, site, part, overwrites || stored.size > 0);
  onCopied();
  await isInserted;
  await writeStates(client, site, part);
  if (part.listed?.last === null) await deleteRowsAboveMarks(client, site);
  if (cleared.length > 0) {
    await client.query(
      `UPDATE events AS e SET wanted = NULL, wanted_key = NULL, wanted_by = NULL
       FROM unnest($2::bigint[], $3::bigint[]) AS k (id, key) WHERE e.site = $1 AND e.id = k.id AND e.wanted_key = k.key`,
      [site, cleared.map(({ eventId }) => eventId), cleared.map(({ key }) => key)],
    );
  }
  // Also a part without entries in the feed can change lists, which have its number as their version.
  const seq = feed.seq + Math.max(changes.length, part.events.size > 0 ? 1 : 0);
  await client.query(
    `UPDATE sites SET step = $2, source_seq = $3, listed = $4, feed_seq = $5, feed_start = $6, version = $7,
       mirrored_at = CASE WHEN $8 THEN now() WHEN $9::float8 IS NULL THEN mirrored_at
         ELSE least(now(), greatest(mirrored_at, to_timestamp($9::float8))) END
     WHERE site = $1`,
    [
      site,
      step,
      part.position.seq,
      part.position.listed,
      seq,
      feed.start,
      version,
      part.isEnd,
      part.at === null || part.position.listed !== null ? null : part.at / 1_000,
    ],
  );
}

async function copyAll(
  client: StepClient,
  { rows, events }: MirrorPart,
  changes: readonly FeedEntry[],
  feedSeq: number,
): Promise<void> {
  if (rows.length > 0) await copy(client, 'COPY copied_rows FROM STDIN', rows);
  if (events.size > 0) await copy(client, 'COPY copied_events FROM STDIN', linesOf(events.values(), lineOf));
  if (changes.length > 0) await copy(client, 'COPY copied_changes FROM STDIN', feedLines(changes, feedSeq));
}

/** Inserts what was copied. Without ON CONFLICT, that takes two thirds of the time. */
async function insertCopied(
  client: StepClient,
  site: string,
  { marks }: MirrorPart,
  overwrites: boolean,
): Promise<void> {
  await client.query(
    `WITH marked AS (
       INSERT INTO row_marks (site, result_table, last_id) SELECT $1, * FROM unnest($2::text[], $3::bigint[])
       ON CONFLICT (site, result_table) DO UPDATE SET last_id = excluded.last_id
     ), with_rows AS (
       INSERT INTO data_rows (site, result_table, id, data) SELECT $1, result_table, id, data FROM copied_rows
       ${overwrites ? OVERWRITE_ROW : ''}
     ), with_events AS (
       INSERT INTO events AS e (site, id, rule_id, event_date_time, at_ms, active, result_table_name, result_table_record_id)
       SELECT $1, id, rule_id, event_date_time, at_ms, active, result_table_name, result_table_record_id FROM copied_events
       ${overwrites ? OVERWRITE_EVENT : ''}
     ) INSERT INTO event_changes (site, seq, kind, event_id, event)
     SELECT $1, seq, kind, event_id, event FROM copied_changes`,
    [site, [...marks.keys()], arrayText(marks.values())],
  );
}

const OVERWRITE_ROW = `ON CONFLICT (site, result_table, id) DO UPDATE SET data = excluded.data,
  mirrored_at = excluded.mirrored_at`;
/** What a consumer wants stays with its event; another event of the same id is another one. */
const OVERWRITE_EVENT = `ON CONFLICT (site, id) DO UPDATE SET rule_id = excluded.rule_id,
  event_date_time = excluded.event_date_time, at_ms = excluded.at_ms, active = excluded.active,
  result_table_name = excluded.result_table_name, result_table_record_id = excluded.result_table_record_id,
  (wanted, wanted_key, wanted_by) = (SELECT e.wanted, e.wanted_key, e.wanted_by
    WHERE (e.rule_id, e.event_date_time, e.result_table_name, e.result_table_record_id) = (excluded.rule_id,
      excluded.event_date_time, excluded.result_table_name, excluded.result_table_record_id))`;

/** What a list changes at the hub: new events of it are created ones, if they are active. */
function listedChanges(
  events: ReadonlyMap<number, AggregationEvent>,
  stored: ReadonlyMap<number, AggregationEvent>,
): FeedEntry[] {
  const changes: FeedEntry[] = [];
  for (const [id, event] of events) {
    const old = stored.get(id);
    const isSame = old && JSON.stringify({ ...old, Active: event.Active }) === JSON.stringify(event);
    if (old && !isSame) changes.push({ kind: 'deleted', event: old });
    if (!isSame && event.Active) changes.push({ kind: 'created', event });
    if (isSame && old.Active !== event.Active) changes.push({ kind: event.Active ? 'reactivated' : 'disabled', event });
  }
  return changes;
}

async function writeStates(client: StepClient, site: string, { states, deleted }: MirrorPart): Promise<void> {
  if (states.size > 0) {
    await client.query(
      `UPDATE events AS e SET active = s.active FROM unnest($2::bigint[], $3::boolean[]) AS s (id, active)
       WHERE e.site = $1 AND e.id = s.id`,
      [site, arrayText(states.keys()), arrayText(states.values())],
    );
  }
  if (deleted.size > 0)
    await client.query('DELETE FROM events WHERE site = $1 AND id = ANY ($2::bigint[])', [site, arrayText(deleted)]);
}

interface ComparedEvents {
  /** Events of the list that the hub has. */
  stored: Map<number, AggregationEvent>;
  /** The other events of the hub in the same range of ids, which this deleted. */
  gone: FeedEntry[];
}

const NOTHING: ComparedEvents = { stored: new Map(), gone: [] };

async function compareList(client: StepClient, site: string, { listed, events }: MirrorPart): Promise<ComparedEvents> {
  const [stored, gone]: [ComparedEvents['stored'], ComparedEvents['gone']] = [new Map(), []];
  let after = listed?.after ?? 0;
  for (;;) {
    const { rows } = await client.query<StoredEvent>(
      `SELECT ${EVENT_COLUMNS} FROM events WHERE site = $1 AND id > $2 AND ($3::bigint IS NULL OR id <= $3)
       ORDER BY id LIMIT ${SWEPT}`,
      [site, after, listed?.last ?? null],
    );
    const ids: number[] = [];
    for (const event of rows.map(eventOf)) {
      const id = event.AggregationEventId;
      if (events.has(id)) stored.set(id, event);
      else {
        ids.push(id);
        gone.push({ kind: 'deleted', event });
      }
    }
    if (ids.length > 0)
      await client.query('DELETE FROM events WHERE site = $1 AND id = ANY ($2::bigint[])', [site, arrayText(ids)]);
    after = Number(rows.at(-1)?.id ?? after);
    if (rows.length < SWEPT) return { stored, gone };
  }
}

/** The ids of these rows will be used by others. */
async function deleteRowsAboveMarks(client: StepClient, site: string): Promise<void> {
  await client.query(
    `DELETE FROM data_rows AS r USING row_marks AS m
     WHERE r.site = $1 AND m.site = $1 AND r.result_table = m.result_table AND r.id > m.last_id`,
    [site],
  );
}

function feedLines(changes: readonly FeedEntry[], before: number): Iterable<string> {
  let seq = before;
  return linesOf(changes, ({ kind, event }) => {
    seq += 1;
    return `${seq}\t${numberOf(kind)}\t${event.AggregationEventId}\t${copyJson(JSON.stringify(event))}\n`;
  });
}

const eventOf = (row: StoredEvent): AggregationEvent => ({
  AggregationEventId: Number(row.id),
  RuleId: Number(row.rule_id),
  EventDateTime: row.event_date_time,
  Active: row.active,
  ResultTableName: row.result_table_name,
  ResultTableRecordId: Number(row.result_table_record_id),
});

const numberOf = (kind: EventChangeKind): number => EVENT_CHANGE_KINDS.indexOf(kind) + 1;

function lineOf(event: AggregationEvent): string {
  const { AggregationEventId: id, RuleId, EventDateTime, Active, ResultTableName, ResultTableRecordId } = event;
  const time = `${copyText(EventDateTime)}\t${Date.parse(EventDateTime)}`;
  return `${id}\t${RuleId}\t${time}\t${Active ? 't' : 'f'}\t${copyText(ResultTableName)}\t${ResultTableRecordId}\n`;
}

function* linesOf<T>(all: Iterable<T>, line: (one: T) => string): Generator<string> {
  for (const one of all) yield line(one);
}

/** An array as PostgreSQL writes it. The library would encode each element, which takes ten times as long. */
const arrayText = (values: Iterable<number | boolean>): string => `{${[...values].join(',')}}`;

async function copy(client: StepClient, statement: string, lines: Iterable<string>): Promise<void> {
  const { from: copyFrom } = await import('pg-copy-streams');
  await pipeline(Readable.from(chunksOf(lines)), client.query(copyFrom(statement)));
}

/** Each in a turn of its own, about a millisecond: PostgreSQL can be faster than this process. */
async function* chunksOf(lines: Iterable<string>): AsyncGenerator<Buffer> {
  let chunk = '';
  for (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK) continue;
    yield Buffer.from(chunk);
    chunk = '';
    await nextTurn();
  }
  if (chunk !== '') yield Buffer.from(chunk);
}
