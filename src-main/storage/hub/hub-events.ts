import type { AggregationEvent, EventListQuery } from '#domain/event/event';
import type { EventChangeKind } from '#domain/event/event-change';
import { inSpan, sqlSpan } from '../../platform/telemetry/spans.ts';
import type { HubDatabase } from './hub-database.ts';
import { JoinedChanges } from './joined-changes.ts';

/** The JSON of an event as the events API writes it, without spaces, as `to_json` escapes texts as JavaScript does. */
const FIELDS = `'"AggregationEventId":' || id || ',"RuleId":' || rule_id || ',"EventDateTime":' || to_json(event_date_time)
  || CASE WHEN coalesce(wanted = 1, active) THEN ',"Active":true' ELSE ',"Active":false' END
  || ',"ResultTableName":' || to_json(result_table_name) || ',"ResultTableRecordId":' || result_table_record_id || '}'`;
const EVENT = `'{' || ${FIELDS}`;
/** The same with the site in front. Names of sites need no escape. */
const EVENT_OF_SITE = `'{"Site":"' || site || '",' || ${FIELDS}`;

/** `wanted` of an event. */
export const WANTED = { disabled: 0, active: 1, deleted: 2 } as const;
/** The names of these changes in the audit. */
export const WANTED_ACTIONS = ['disable', 'activate', 'delete'] as const;

/** An event at the hub: as gateways show it, and whether the site has yet to apply the last change. */
export interface HubEvent {
  event: AggregationEvent;
  pending: boolean;
}

/** A change at a gateway. */
export interface ConsumerChange {
  id: number;
  wanted: (typeof WANTED)[keyof typeof WANTED];
  /** The name of the consumer. */
  consumer: string;
  address: string;
}

/** Some events of a list as the text of JSON objects, separated by commas. */
export interface EventsText {
  text: string;
  count: number;
  lastId: number;
}

export interface HubFeedPart {
  /** The first number of the feed that is kept, and the last one. */
  first: number;
  last: number;
  changes: { seq: number; kind: EventChangeKind; event: AggregationEvent }[];
  /** Active events above `listed`; [] if no list was requested. */
  listed: AggregationEvent[];
}

const KINDS: readonly EventChangeKind[] = ['created', 'disabled', 'reactivated', 'deleted'];

const ONE = `SELECT (${EVENT})::json AS event, wanted IS NOT NULL AS pending FROM events
  WHERE site = $1 AND id = $2 AND wanted IS DISTINCT FROM 2`;

/** The change, its record and the version of the list: all or none. A deleted event stays deleted. */
export const CHANGE = `WITH changed AS (
  UPDATE events SET wanted = $3, wanted_key = nextval('wanted_keys'), wanted_by = $4
  WHERE site = $1 AND id = $2 AND wanted IS DISTINCT FROM 2
  RETURNING *
), counted AS (
  INSERT INTO change_counts AS c (site, shard, count) SELECT site, $5::smallint, 1 FROM changed
  ON CONFLICT (site, shard) DO UPDATE SET count = c.count + 1
), recorded AS (
  INSERT INTO audit (site, consumer, action, event_id, address) SELECT site, $4::text, $6::text, id, $7::text FROM changed
)
SELECT (${EVENT})::json AS event, true AS pending FROM changed`;

/** The same for several events of a site at once, without events that another transaction is changing. */
export const CHANGES_JOINED = `WITH free AS (
  SELECT id FROM events WHERE site = $1 AND id = ANY($2::bigint[]) AND wanted IS DISTINCT FROM 2
  FOR NO KEY UPDATE SKIP LOCKED
), changed AS (
  UPDATE events e SET wanted = a.wanted, wanted_key = nextval('wanted_keys'), wanted_by = a.consumer
  FROM unnest($2::bigint[], $3::smallint[], $4::text[], $5::text[]) AS a (change_id, wanted, consumer, address), free f
  WHERE e.site = $1 AND e.id = f.id AND a.change_id = f.id
  RETURNING e.*, a.address
), counted AS (
  INSERT INTO change_counts AS c (site, shard, count) SELECT $1, $6::smallint, count(*) FROM changed HAVING count(*) > 0
  ON CONFLICT (site, shard) DO UPDATE SET count = c.count + excluded.count
), recorded AS (
  INSERT INTO audit (site, consumer, action, event_id, address)
  SELECT site, wanted_by, (ARRAY['disable', 'activate', 'delete'])[wanted + 1], id, address FROM changed
)
SELECT (${EVENT})::json AS event, true AS pending FROM changed`;

const CHANGES = `SELECT s.feed_seq AS last,
  greatest(s.feed_start, coalesce((SELECT min(seq) - 1 FROM event_changes WHERE site = $1), s.feed_seq)) + 1 AS first,
  (SELECT json_agg(json_build_object('seq', seq, 'kind', kind, 'event', event) ORDER BY seq) FROM (
    SELECT seq, kind, event FROM event_changes WHERE site = $1 AND seq > $2 AND seq <= s.feed_seq ORDER BY seq LIMIT $3
  ) c) AS changes,
  CASE WHEN $4::bigint IS NULL THEN NULL ELSE (SELECT json_agg(json ORDER BY id) FROM (
    SELECT id, (${EVENT})::json AS json FROM events
    WHERE site = $1 AND id > $4 AND coalesce(wanted = 1, active) AND ($5::bigint IS NULL OR rule_id = $5) ORDER BY id LIMIT $6
  ) e) END AS listed
  FROM sites s WHERE s.site = $1`;

interface ChangesRow {
  first: string;
  last: string;
  changes: { seq: number; kind: number; event: AggregationEvent }[] | null;
  listed: AggregationEvent[] | null;
}

/** The events of one site at the hub. */
export class HubEvents {
  readonly #hub: HubDatabase;
  readonly #site: string;
  readonly #changes: JoinedChanges;

  constructor(hub: HubDatabase, site: string) {
    this.#hub = hub;
    this.#site = site;
    this.#changes = new JoinedChanges(hub, site);
  }

  /** Null if there is none, or it is to be deleted. @throws TagwrightError UNAVAILABLE, as all methods */
  async get(id: number): Promise<HubEvent | null> {
    return (await this.#hub.prepared<HubEvent>('event', ONE, [this.#site, id]))[0] ?? null;
  }

  /** Records a change for the site; resolves after the commit with the event as it is shown now. Null if there is none. */
  want(change: ConsumerChange): Promise<HubEvent | null> {
    return inSpan(sqlSpan('postgresql', 'UPDATE'), () => this.#changes.add(change));
  }

  /** The part of the feed after a number, and of the list after an id (null: none), from one snapshot. */
  async changesAfter(
    seq: number,
    query: { changes: number; listed: number | null; ruleId: number | null; limit: number },
  ): Promise<HubFeedPart | null> {
    const values = [this.#site, seq, query.changes, query.listed, query.ruleId, query.limit];
    const [row] = await this.#hub.query<ChangesRow>(CHANGES, values);
    if (!row) return null;
    const changes = (row.changes ?? []).map(({ kind, ...rest }) => ({ ...rest, kind: KINDS[kind - 1] ?? 'created' }));
    return { first: Number(row.first), last: Number(row.last), changes, listed: row.listed ?? [] };
  }

  /** A page of a list. */
  async page(query: EventListQuery): Promise<EventsText> {
    const [row] = await this.#hub.query<EventsText>(
      `SELECT coalesce(string_agg(json, ',' ORDER BY id), '') AS text, count(*)::integer AS count, coalesce(max(id), 0)::float8 AS "lastId"
       FROM (SELECT id, ${EVENT} AS json FROM events WHERE ${whereOf([this.#site], query)} ORDER BY id LIMIT ${number(query.limit ?? 0)}) e`,
    );
    return row ?? { text: '', count: 0, lastId: 0 };
  }
}

/** The statement of a list without a limit, for COPY: one JSON object a row, ordered by site and id. */
export function listStatement(sites: readonly string[], query: EventListQuery, withSite: boolean): string {
  return `SELECT ${withSite ? EVENT_OF_SITE : EVENT} FROM events WHERE ${whereOf(sites, query)} ORDER BY site, id`;
}

/** COPY takes no parameters: the names are checked, and the rest are numbers. */
function whereOf(sites: readonly string[], { active, ruleId, from, to, after }: EventListQuery): string {
  const names = sites.filter((site) => /^[a-z0-9-]+$/.test(site)).map((site) => `'${site}'`);
  const shown =
    active === null
      ? 'wanted IS DISTINCT FROM 2'
      : active
        ? 'coalesce(wanted = 1, active)'
        : 'NOT coalesce(wanted = 1, active) AND wanted IS DISTINCT FROM 2';
  return [
    names.length === 1 ? `site = ${names.join()}` : `site IN (${names.join() || 'NULL'})`,
    shown,
    ruleId !== null && `rule_id = ${number(ruleId)}`,
    from !== null && `at_ms >= ${number(from)}`,
    to !== null && `at_ms < ${number(to)}`,
    after !== null && `id > ${number(after)}`,
  ]
    .filter((part) => part !== false)
    .join(' AND ');
}

function number(value: number): string {
  return Number.isSafeInteger(value) ? String(value) : 'NULL';
}
