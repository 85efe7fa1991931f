import Database from 'better-sqlite3';
import express from 'express';

/**
 * Bare Express over the events of the given workspace, without checks, limits or a log: one SELECT for GET; one SELECT
 * and one UPDATE for PUT, in one transaction with those of the same turn of the event loop, and answered after it.
 */
const database = new Database(`${process.argv[2] ?? ''}/workspace.db`);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.pragma('wal_autocheckpoint = 2000');
const select = database.prepare<[number], { Active: number }>(
  `SELECT id AS AggregationEventId, rule_id AS RuleId, event_date_time AS EventDateTime, active AS Active,
     result_table_name AS ResultTableName, result_table_record_id AS ResultTableRecordId FROM events WHERE id = ?`,
);
const update = database.prepare<[number, number]>('UPDATE events SET active = ? WHERE id = ?');
const [begin, commit] = [database.prepare('BEGIN IMMEDIATE'), database.prepare('COMMIT')];

let jobs: (() => () => void)[] = [];
function commitJobs(): void {
  const batch = jobs;
  jobs = [];
  begin.run();
  const answers = batch.map((job) => job());
  commit.run();
  for (const answer of answers) answer();
}

const app = express().disable('etag').disable('x-powered-by');
app.get('/api/events/:id', (request, response) => {
  const event = select.get(Number(request.params.id));
  if (event) response.json({ ...event, Active: event.Active === 1 });
  else response.sendStatus(404);
});
app.put('/api/events/:id', express.json(), (request, response) => {
  if (jobs.length === 0) setImmediate(commitJobs);
  jobs.push(() => {
    const [id, active] = [Number(request.params.id), request.body.Active === true];
    const event = select.get(id);
    if (event) update.run(active ? 1 : 0, id);
    return () => (event ? response.json({ ...event, Active: active }) : response.sendStatus(404));
  });
});
process.once('disconnect', () => process.exit());
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  process.send?.({ url: `http://127.0.0.1:${port}` });
});
