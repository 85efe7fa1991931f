#!/usr/bin/env node
/**
 * Polls the events API, processes each active event, and then sets its Active to false, so that it is not returned again.
 *
 *   node poll-events.mjs [--url http://127.0.0.1:4860] [--every 2000] [--key KEY] [--once]
 *
 * Without --url and --key, it takes TAGWRIGHT_EVENTS_URL and TAGWRIGHT_EVENTS_API_KEY from the environment, which
 * "tagwright consumers check" sets.
 *
 * An event is processed before it is disabled: if this program is stopped in between, it gets the event again. Make
 * `handle` idempotent, for example by storing the AggregationEventId with its results. Requires only Node 20 or later.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: process.env.TAGWRIGHT_EVENTS_URL ?? 'http://127.0.0.1:4860' },
    every: { type: 'string', default: '2000' },
    key: { type: 'string', default: process.env.TAGWRIGHT_EVENTS_API_KEY ?? '' },
    once: { type: 'boolean', default: false },
  },
});

const PAGE = 500;
const MAX_PAUSE_MS = 60_000;

/** Your work: here, a line on stdout. Throw to leave the event active; the next poll returns it again. */
async function handle(event) {
  console.log(
    `${event.EventDateTime} rule ${event.RuleId}: row ${event.ResultTableRecordId} of ${event.ResultTableName}`,
  );
}

/** Of the API, such as https://gateway.example.com/sites/leeds. */
const base = options.url.replace(/\/+$/, '');

function request(path, init = {}) {
  const headers = { ...init.headers, ...(options.key ? { 'X-API-Key': options.key } : {}) };
  return fetch(new URL(path, base), { ...init, headers, signal: AbortSignal.timeout(30_000) });
}

/** The response; throws an Error with the explanation of the API, and with `waitMs` if it asks clients to wait. */
async function checked(response) {
  if (response.ok || response.status === 304) return response;
  const problem = await response.json().catch(() => ({}));
  const seconds = Number(response.headers.get('Retry-After') ?? 0);
  const waitMs = seconds > 0 ? seconds * 1_000 : 0;
  throw Object.assign(new Error(`${response.status}: ${problem.detail ?? response.statusText}`), { waitMs });
}

/** The ETag of the empty list: polling costs almost nothing while it stays the same. */
let settledTag = null;

/** Processes every active event, a page at a time. */
async function poll() {
  let path = `${base}/api/events?limit=${PAGE}`;
  let failed = 0;
  for (let first = true; path !== null; first = false) {
    const headers = first && settledTag !== null ? { 'If-None-Match': settledTag } : {};
    const response = await checked(await request(path, { headers }));
    if (response.status === 304) return;
    const events = await response.json();
    // A list with events changes as they are disabled, so only the ETag of an empty list is useful.
    if (first) settledTag = events.length === 0 ? response.headers.get('ETag') : null;
    // Each once, even if it is in the list twice.
    const byId = new Map(events.map((event) => [event.AggregationEventId, event]));
    for (const event of byId.values()) if (!(await processEvent(event))) failed += 1;
    path = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1] ?? null;
  }
  if (failed > 0) throw new Error(`${failed} events stay active and will be retried`);
}

/** Whether the event was processed; if not, it stays active. Throws if the API fails: the other events wait too. */
async function processEvent(event) {
  try {
    await handle(event);
  } catch (error) {
    console.error(`event ${event.AggregationEventId}: ${error.message}`);
    return false;
  }
  const response = await request(`${base}/api/events/${event.AggregationEventId}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ Active: false }),
  });
  // Another program deleted it: there is nothing to disable.
  if (response.status !== 404) await checked(response);
  return true;
}

const every = Number(options.every);
let pause = every;
for (;;) {
  try {
    await poll();
    pause = every;
    if (options.once) break;
  } catch (error) {
    console.error(`${error.message}${error.cause ? ` (${error.cause.message})` : ''}`);
    if (options.once) process.exit(1);
    // Back off while the API is down or an event cannot be processed, and at least as long as the API asks for.
    pause = Math.max(Math.min(pause * 2, MAX_PAUSE_MS), error.waitMs ?? 0);
  }
  await delay(pause);
}
