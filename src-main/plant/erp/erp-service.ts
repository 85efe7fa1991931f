import { stringify } from 'csv-stringify/sync';
import { abbreviate } from '#domain/text/abbreviate';
import { parseDateTime } from '#domain/text/date-time';
import type { ErpRecord } from '#domain/tag/erp';
import { isJsonObject, parseJson } from '#domain/text/json';
import { MAX_PATH_LENGTH } from '#domain/tag/tag-path';
import { TagwrightError } from '../../platform/errors.ts';
import { Listeners } from '../../platform/events.ts';
import type {
  ErpOutboxRepository,
  ErpRow,
  ErpSelection,
  ErpStretch,
} from '../../storage/repositories/erp-outbox-repository.ts';

/** The parts of the tags that the outbox uses. */
export interface ErpTags {
  /** Runs a job that changes stored data of the tags of a kind, and then reloads their values. */
  readonly definitions: { rewrite<T>(kind: 'erp', job: () => T): Promise<T> };
  onValues(listener: (paths: readonly string[]) => void): () => void;
}

/** Which records to select; omitted filters match everything. */
interface RecordFilter {
  tag?: string | undefined;
  text?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const PAGE = 500;
/** Number of records that are read in one turn of the event loop. */
const STRETCH = 256;
/** Number of records that are cleared in one transaction. */
const CLEARED = 2_000;
/** Maximum length of the records of a page, in characters: a longer one is a page of its own. */
const PAGE_LENGTH = 4 * 1_048_576;
/** Maximum length of an export, in characters: half the size of a message to a client, because text grows there. */
const EXPORT_LENGTH = 32 * 1_048_576;

const COLUMNS = ['id', 'sentAt', 'tag', 'diagram', 'location', 'record'] as const;

/**
 * The outbox of the ERP tags: every record that was sent, to view, export and clear. Methods are named after the
 * procedures of the contract. However long the outbox is, no call blocks others for more than a few ms per turn.
 */
export class ErpService {
  readonly #outbox: ErpOutboxRepository;
  readonly #tags: ErpTags;
  readonly #changes = new Listeners<{ newest: number }>();
  readonly #unsubscribe: () => void;
  #newest: number;

  constructor({ outbox, tags }: { outbox: ErpOutboxRepository; tags: ErpTags }) {
    this.#outbox = outbox;
    this.#tags = tags;
    this.#newest = outbox.newest();
    this.#unsubscribe = tags.onValues(() => {
      const newest = outbox.newest();
      if (newest <= this.#newest) return;
      this.#newest = newest;
      this.#changes.emit({ newest });
    });
  }

  /** Called after records were sent or cleared; the returned function removes the listener. */
  onChange(listener: (change: { newest: number }) => void): () => void {
    return this.#changes.add(listener);
  }

  close(): void {
    this.#unsubscribe();
    this.#changes.clear();
  }

  /**
   * Records, newest first, at most `limit` and about 4 MB; `next` is the `after` of the next page, null at the end.
   * Throws BAD_REQUEST for an invalid time.
   */
  async list({
    limit = PAGE,
    after,
    ...filter
  }: RecordFilter & { limit?: number | undefined; after?: number | undefined }) {
    const records: ErpRecord[] = [];
    let length = 0;
    let next: number | null = null;
    await this.#each(selectionOf(filter), after, (row) => {
      if (records.length === limit || (length > 0 && length + row.record.length > PAGE_LENGTH)) {
        next = records.at(-1)?.id ?? null;
        return false;
      }
      records.push(recordOf(row));
      length += row.record.length;
      return true;
    });
    return { records, next, total: this.#outbox.count() };
  }

  /** Records as text, newest first: CSV (RFC 4180) with the record as JSON, or a JSON array with a record per line. */
  async export({ format, ...filter }: RecordFilter & { format: 'csv' | 'json' }) {
    const parts: string[] = [];
    let length = 0;
    await this.#each(selectionOf(filter), undefined, (row) => {
      const part = format === 'csv' ? csvLine(row) : `  ${JSON.stringify(recordOf(row))}`;
      length += part.length;
      parts.push(part);
      return length <= EXPORT_LENGTH;
    });
    if (length > EXPORT_LENGTH) throw tooLong();
    const count = parts.length;
    if (format === 'csv') return { text: `${COLUMNS.join(',')}\r\n${parts.join('')}`, count };
    return { text: count === 0 ? '[]\n' : `[\n${parts.join(',\n')}\n]\n`, count };
  }

  /**
   * Deletes all records, or records sent under a path or before a moment; returns their number. Records
   * that are sent in the meantime stay. ERP tags then return their latest remaining record.
   */
  async clear({ tag, before }: { tag?: string | undefined; before?: string | undefined }) {
    const selection = selectionOf({ tag, to: before }, { to: 'before' });
    const last = this.#outbox.newest();
    const count =
      tag === undefined && before === undefined
        ? await this.#tags.definitions.rewrite('erp', () => this.#outbox.deleteUpTo(last))
        : await this.#clear(selection, last + 1);
    if (count > 0) this.#changes.emit({ newest: (this.#newest = this.#outbox.newest()) });
    return { count };
  }

  async #clear(selection: ErpSelection, from: number): Promise<number> {
    let count = 0;
    for (let below: number | null = from; below !== null;) {
      const place = { tagPath: selection.tagPath, below, rows: CLEARED };
      const done: { stretch: ErpStretch | null; count: number } = await this.#tags.definitions.rewrite('erp', () => {
        const stretch = this.#outbox.stretch(place);
        return { stretch, count: stretch ? this.#outbox.delete(stretch, selection) : 0 };
      });
      count += done.count;
      below = done.stretch?.low ?? null;
    }
    return count;
  }

  /** Visits the selected rows until a visitor stops: a batch per turn of the event loop. */
  async #each(selection: ErpSelection, after: number | undefined, visit: (row: ErpRow) => boolean): Promise<void> {
    const { tagPath } = selection;
    for (let below = after ?? Number.MAX_SAFE_INTEGER; ;) {
      const stretch = this.#outbox.stretch({ tagPath, below, rows: STRETCH });
      if (!stretch) return;
      // Nothing else can use the connection while rows are read from it, so this loop never waits.
      for (const row of this.#outbox.select(stretch, selection)) if (!visit(row)) return;
      below = stretch.low;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

function recordOf({ id, tagPath, record, diagram, location, sentAt }: ErpRow): ErpRecord {
  const value = parseJson(record);
  return { id, tag: tagPath, record: isJsonObject(value) ? value : {}, diagram, location, sentAt };
}

function csvLine({ id, sentAt, tagPath, diagram, location, record }: ErpRow): string {
  return stringify([[id, sentAt, tagPath, diagram, location, record]], {
    record_delimiter: '\r\n',
    quoted_match: /[\r\n]|^\s|\s$/,
  });
}

function selectionOf({ tag, text, from, to }: RecordFilter, names = { to: 'to' }): ErpSelection {
  return {
    tagPath: tag ?? null,
    text: text === undefined || text === '' ? null : text,
    from: timeOf('from', from),
    to: timeOf(names.to, to),
  };
}

/** A moment in the format of the outbox; throws BAD_REQUEST with the invalid member. */
function timeOf(name: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  const time = parseDateTime(text.trim());
  if (time.ok) return time.text;
  const message = `"${abbreviate(text, MAX_PATH_LENGTH)}" is not a time: ${time.reason}`;
  throw new TagwrightError('BAD_REQUEST', message, { data: { issues: [{ path: [name], message }] } });
}

function tooLong(): TagwrightError {
  return new TagwrightError(
    'BAD_REQUEST',
    `These records exceed the ${EXPORT_LENGTH / 1_048_576} MB of one export. Export them in parts: by tag, or by time range.`,
  );
}
