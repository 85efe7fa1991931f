import type { LoggedCall } from '#domain/mock/api-call';
import type { ApiRequest } from '#domain/mock/api-request';
import type { JournalEntry, JournalWrite } from '#domain/run/journal';
import type { Why, WhyLine } from '#domain/run/why';
import { type Json, parseJson } from '#domain/text/json';
import type { JournalReader } from '../../storage/journal/journal-reader.ts';
import type { ErpRow } from '../../storage/repositories/erp-outbox-repository.ts';
import { type EventReads, readLines } from './event-reads.ts';
import type { WhyReader } from './why.ts';
import { inScope, nothingOf } from './why-lines.ts';

/** How long after a request or a sent record its entry is looked for, ms: commits wait for the disk. */
const LATEST_MS = 10_000;
/** A clock that is set back between the start of a request and its commit, ms. */
const EARLIEST_MS = 1_000;
/** Entries that are read for one explanation, and lines of its effects. */
const MOST_READ = 20_000;
const MOST_LINES = 200;

export interface WhyRecordsParts {
  reader: JournalReader;
  explained: WhyReader;
  /** Null for one that is no longer stored. */
  requestOf: (seq: number) => Promise<ApiRequest | null>;
  readsOf: (event: { id: number; ruleId: number }) => Promise<EventReads>;
  /** Whether an event exists and is active. */
  isActive: (event: number) => boolean;
  callOf: (seq: number) => LoggedCall | null;
  recordOf: (id: number) => (ErpRow & { tagId: number | null }) | null;
}

/**
 * Explains what other logs have: a request to the events API, an API call with the response that it got, and a record of
 * the ERP outbox. The log says what happened, the journal who caused it and what followed.
 */
export class WhyRecords {
  readonly #parts: WhyRecordsParts;

  constructor(parts: WhyRecordsParts) {
    this.#parts = parts;
  }

  async why(kind: 'request' | 'call' | 'erp', id: number): Promise<Why> {
    const why = this.#parts.explained.empty({ kind, id });
    if (kind === 'erp') this.#ofRecord(id, why);
    else if (kind === 'call') this.#ofCall(id, why);
    else await this.#ofRequest(id, why);
    return why;
  }

  /** Adds who read an event to its explanation. @param now ms since 1970, also of an earlier state */
  async addReads(why: Why, event: number, now: number, isCurrent: boolean): Promise<void> {
    const rule = why.causes.find(({ kind }) => kind === 'firing')?.rule;
    if (!rule) return;
    const reads = await this.#parts.readsOf({ id: event, ruleId: rule.id });
    why.effects.push(...readLines(why, event, reads, isCurrent && this.#parts.isActive(event), now));
  }

  /** Who sent it and what led to its event; the changes that it made. */
  async #ofRequest(id: number, why: Why): Promise<void> {
    const request = await this.#parts.requestOf(id);
    if (!request) {
      why.problem = `The log of requests has no request ${id}. It has the newest 1,000.`;
      return;
    }
    const { at, method, path, status, client, userAgent } = request;
    const { reader, explained } = this.#parts;
    why.causes.push({
      depth: 0,
      at,
      kind: 'request',
      action: `requested ${method} ${path}: ${status === 0 ? 'no response' : `status ${status}`}`,
      actor: userAgent === '' ? client : `${client}, ${userAgent}`,
      entry: 0,
    });
    const event = Number(/^\/api\/events\/(\d{1,15})(?:[?/]|$)/.exec(path)?.[1] ?? 0);
    if (event < 1) return;
    const last = why.causes[0];
    if (last) last.event = event;
    const [from, to] = [Date.parse(at) - EARLIEST_MS, Date.parse(at) + request.ms + LATEST_MS];
    let read = 0;
    for (const entry of reader.about({ kind: 'event', id: event })) {
      if ((read += 1) > MOST_READ) break;
      if (entry.kind === 'firing') why.causes.push(...explained.causes(entry, 1));
      else if (entry.at >= from && entry.at <= to && isOf(entry, request)) {
        why.effects.push(explained.lines.lineOf(entry, 0));
      }
    }
    why.effects.reverse();
  }

  /** The run that made it and what led to that; what the run wrote afterwards. */
  #ofCall(id: number, why: Why): void {
    const call = this.#parts.callOf(id);
    if (!call) {
      why.problem = `The log of API calls has no call ${id}. It has the newest 1,000 since the start of Tagwright.`;
      return;
    }
    const { reader, explained } = this.#parts;
    const run = call.run === undefined ? null : reader.run(call.run);
    const own: WhyLine = { ...lineOfCall(call), actor: call.tag === '' ? 'a script' : `a script of ${call.tag}` };
    why.causes.push(own);
    if (!run) {
      why.problem = 'The journal does not have the run of this call. Runs while you type are not stored.';
      return;
    }
    const line = call.line ?? null;
    own.actor = explained.lines.actorOf({ by: 'run', run: run.id, line });
    own.thing = `run:${run.id}`;
    if (run.script) {
      own.script = run.script;
      own.by = { script: run.script, ...(line !== null && { line }) };
    }
    if (line !== null) own.line = line;
    why.causes.push(...explained.runs(run, 1, line));
    const after = Date.parse(call.at) + call.ms;
    const entries: JournalEntry[] = [];
    for (const entry of reader.about({ kind: 'run', run: run.id })) {
      if (entry.id < run.id || entry.at < Math.floor(after) || entries.length >= MOST_LINES) break;
      entries.push(entry);
    }
    for (const entry of entries.toReversed()) {
      const tags = entry.kind === 'write' ? entry.writes.map(({ tagId }) => tagId) : [undefined];
      for (const tagId of tags) {
        if (why.effects.length < MOST_LINES) why.effects.push(explained.lines.lineOf(entry, 0, tagId));
      }
    }
  }

  /** The write that sent it, and what led to that. */
  #ofRecord(id: number, why: Why): void {
    const { explained } = this.#parts;
    const row = this.#parts.recordOf(id);
    if (!row) {
      why.problem = `The ERP outbox has no record ${id}; it may have been cleared.`;
      return;
    }
    const record = parseJson(row.record);
    const found = row.tagId === null ? null : this.#writeOf(row.tagId, record, Date.parse(row.sentAt));
    if (row.tagId === null || !found) {
      why.problem = nothingOf(`record ${id} of "${row.tagPath}"`, why.since);
      return;
    }
    const [own, ...around] = explained.causes(found.entry, 0, row.tagId);
    if (!own) return;
    const { before, after } = found.write;
    const action = `sent record ${id} of ${row.tagPath}${inScope(row)}`;
    why.causes.push({ ...own, action, ...(before !== undefined && { before }), after }, ...around);
  }

  /** The write of a record: the first one since, if possible with the value of the record. */
  #writeOf(tagId: number, record: Json, sentAt: number): { entry: JournalEntry; write: JournalWrite } | null {
    const { reader } = this.#parts;
    const text = JSON.stringify(record);
    let found: { entry: JournalEntry; write: JournalWrite; isSame: boolean } | null = null;
    let read = 0;
    for (const entry of reader.about({ kind: 'tag', tagId }, reader.lastIdAt(sentAt + LATEST_MS) + 1)) {
      if (entry.at < sentAt || (read += 1) > MOST_READ) break;
      if (entry.kind !== 'write') continue;
      for (const write of entry.writes.toReversed()) {
        if (write.tagId !== tagId) continue;
        const isSame = JSON.stringify(write.after) === text;
        if (isSame || found?.isSame !== true) found = { entry, write, isSame };
      }
    }
    return found;
  }
}

function isOf({ kind, cause }: JournalEntry, { method, client }: ApiRequest): boolean {
  return kind === 'event' && cause.by === 'client' && cause.method === method && cause.address === client;
}

function lineOfCall({ at, operation, method, url, statusCode, error, source, mock, tag }: LoggedCall) {
  const outcome = error ?? `status ${statusCode}`;
  const from = source === 'mock' ? ` from the mock “${mock ?? ''}”` : source === 'none' ? ', not sent' : '';
  const action = `called ${method === '' ? operation : `${method} ${url}`}: ${outcome}${from}`;
  return { depth: 0, at, kind: 'call' as const, action, entry: 0, ...(tag !== '' && { tag }) };
}
