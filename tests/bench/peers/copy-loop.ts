import Database from 'better-sqlite3';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { HubDatabase } from '../../../src-main/storage/hub/hub-database.ts';

/** Events of one transaction: as many as a step of the mirror has. */
const EVENTS = 5_000;

interface Joined {
  id: number;
  ruleId: number;
  time: string;
  at: number;
  active: number;
  resultTable: string;
  rowId: number;
  data: string;
}

/** The lines of COPY for one transaction. */
interface Batch {
  rows: string;
  events: string;
  changes: string;
  last: number;
  count: number;
}

const SITE = 'leeds';
const TABLE = 'results_1';
const PAIRS = [
  'fired_at',
  'fired_by',
  'window_start',
  'window_end',
  'samples',
  'bad_samples',
  'average',
  'highest',
  'state',
]
  .map((name) => `'${name}', r.${name}`)
  .join(', ');

/**
 * What a good programmer writes in an hour to copy the events of a site, their feed and one result table to a hub: COPY
 * straight into the tables, a transaction for each batch, and the next batch read while PostgreSQL works. It needs a role
 * without row-level security, an empty hub, and a workspace that nothing else changes. Resolves with the seconds it took.
 */
export async function runCopyLoop(hub: HubDatabase, url: string, file: string): Promise<number> {
  await hub.query('INSERT INTO sites (site, role) VALUES ($1::text, $1::text)', [SITE]);
  const client = new Client({ connectionString: url, options: '-c search_path=tagwright' });
  const began = performance.now();
  await client.connect();
  await copyLoop(client, file);
  const seconds = (performance.now() - began) / 1_000;
  await client.end();
  return seconds;
}

async function copyLoop(client: Client, file: string): Promise<void> {
  const database = new Database(file, { readonly: true });
  const page = database.prepare<[number], Joined>(
    `SELECT e.id, rule_id AS ruleId, event_date_time AS time, at_ms AS at, active, result_table_name AS resultTable,
       result_table_record_id AS rowId, json_object(${PAIRS}) AS data
     FROM events e JOIN ${TABLE} r ON r.id = e.result_table_record_id WHERE e.id > ? ORDER BY e.id LIMIT ${EVENTS}`,
  );
  const copy = (statement: string, text: string) =>
    new Promise<void>((resolve, reject) => {
      client.query(copyFrom(statement)).once('finish', resolve).once('error', reject).end(text);
    });
  let batch = read(page.all(0));
  while (batch.count > 0) {
    const { rows, events, changes, last } = batch;
    await client.query('BEGIN');
    await client.query('SELECT source_seq FROM sites WHERE site = $1 FOR UPDATE', [SITE]);
    const rowsCopied = copy('COPY data_rows (site, result_table, id, data) FROM STDIN', rows);
    // While PostgreSQL works.
    batch = read(page.all(last));
    await rowsCopied;
    await copy(
      'COPY events (site, id, rule_id, event_date_time, at_ms, active, result_table_name, result_table_record_id) FROM STDIN',
      events,
    );
    await copy('COPY event_changes (site, seq, kind, event_id, event) FROM STDIN', changes);
    await client.query('UPDATE sites SET source_seq = $2, feed_seq = $2, mirrored_at = now() WHERE site = $1', [
      SITE,
      last,
    ]);
    await client.query('COMMIT');
  }
  database.close();
}

function read(page: readonly Joined[]): Batch {
  const batch: Batch = { rows: '', events: '', changes: '', last: page.at(-1)?.id ?? 0, count: page.length };
  for (const { id, ruleId, time, at, active, resultTable, rowId, data } of page) {
    const table = escaped(resultTable);
    batch.rows += `${SITE}\t${table}\t${rowId}\t${escaped(data)}\n`;
    batch.events += `${SITE}\t${id}\t${ruleId}\t${time}\t${at}\t${active}\t${table}\t${rowId}\n`;
    const event = JSON.stringify({
      AggregationEventId: id,
      RuleId: ruleId,
      EventDateTime: time,
      Active: active === 1,
      ResultTableName: resultTable,
      ResultTableRecordId: rowId,
    });
    batch.changes += `${SITE}\t${id}\t1\t${id}\t${escaped(event)}\n`;
  }
  return batch;
}

const escaped = (text: string): string =>
  /[\\\n\r\t]/.test(text)
    ? text.replace(/[\\\n\r\t]/g, (one) => ({ '\\': '\\\\', '\n': '\\n', '\r': '\\r' })[one] ?? '\\t')
    : text;
