import { z } from 'zod';
import { convert } from '#domain/tag/convert';
import type { Json, JsonObject } from '#domain/text/json';
import type { Quality } from '#domain/tag/quality';
import type { Scope } from '#domain/tag/scope';
import type { TagType, TagValue } from '#domain/tag/tag';
import { messageOf } from '../../../platform/errors.ts';
import { PLAIN } from '../../../platform/plain-words.ts';
import type {
  PlantError,
  PlantFault,
  PlantResult,
  PlantRows,
  PlantStatement,
} from '../../../storage/plant/protocol.ts';
import type { ReadBy } from '../../../storage/plant/reader-pool.ts';
import type { SqlMode, SqlText } from '../../../storage/plant/sql-text.ts';
import { checkSql, MAX_SQL_LENGTH } from '../../../storage/plant/sql-text.ts';
import type { Tag } from '../definitions/tag.ts';
import { bindSql } from './db-sql.ts';
import type { PlantTransactions } from './db-work.ts';
import { PlantWork } from './db-work.ts';
import type { BatchKind, ParsedSettings, Preparation, ReadView, WriteView } from './kind.ts';
import { issuesOf, refused } from './settings.ts';

/** The parts of plant.db that DB tags use. */
export interface Plant extends PlantTransactions {
  read(statements: readonly PlantStatement[], by: ReadBy): Promise<PlantResult[]>;
}

export interface DbParts {
  /** plant.db; without it there are no DB tags. */
  plant?: Plant;
}

const UPDATE_MS = 5_000;
const sql = z.string().max(MAX_SQL_LENGTH).nullish();
const schema = z.strictObject({
  readSql: sql,
  writeSql: sql,
  updateMs: z.int().min(100).max(86_400_000).default(UPDATE_MS),
});

const QUALITY_OF: Record<PlantFault, Quality> = {
  sql: 'BadConfigurationError',
  data: 'BadInternalError',
  time: 'BadTimeout',
  busy: 'BadTimeout',
  taken: 'BadTimeout',
  file: 'BadNotConnected',
  recover: 'BadNotConnected',
  lost: 'BadNotConnected',
  size: 'BadOutOfMemory',
};

interface Statements {
  read: SqlText | null;
  write: SqlText | null;
  updateMs: number;
}

/**
 * DB tags: a read returns the result of the read SQL on plant.db, a write runs the write SQL with the value bound. The
 * SQL of all tags of one Get is sent to plant.db in one call; the writes of a Set are part of its transaction.
 */
export function dbKind(plant: Plant): BatchKind {
  const known = new Map<number, Statements>();
  const work = new PlantWork(plant);

  function statementsOf(tag: Tag): Statements {
    const statements = known.get(tag.id);
    if (!statements) throw new Error(`"${tag.path}" was not attached`);
    return statements;
  }

  async function read(tags: readonly Tag[], scope: Scope, view: ReadView): Promise<TagValue[]> {
    // A tag that is named several times is read once: its SQL may be slow, and the readers of plant.db are shared.
    const distinct = [...new Set(tags)];
    const values = new Map<Tag, TagValue>();
    const statements: PlantStatement[] = [];
    const readable: Tag[] = [];
    for (const tag of distinct) {
      const text = statementsOf(tag).read;
      const bound = text && bindSql(text, { tagName: tag.path, scope });
      if (bound?.ok) {
        readable.push(tag);
        statements.push(bound.statement);
      } else {
        values.set(tag, bad(tag, 'BadNotReadable', bound ? bound.reason : 'it has no read SQL'));
      }
    }
    const results = await resultsOf(statements, view);
    for (const [index, tag] of readable.entries()) {
      const result = results[index];
      values.set(tag, result ? valueOf(tag, result) : bad(tag, 'BadNotReadable', 'plant.db did not respond'));
    }
    return tags.map((tag) => values.get(tag) ?? bad(tag, 'BadNotReadable', 'it was not read'));
  }

  /** As seen by the reading run or write set. */
  async function resultsOf(
    statements: readonly PlantStatement[],
    { pending, signal, scripts }: ReadView,
  ): Promise<PlantResult[]> {
    if (statements.length === 0) return [];
    try {
      const seen = pending && (await work.read(pending, statements, signal));
      return seen ?? (await plant.read(statements, { signal, owner: scripts.root }));
    } catch (thrown) {
      const error: PlantError = { fault: 'busy', message: messageOf(thrown) };
      return statements.map(() => ({ error }));
    }
  }

  async function prepare(
    { tag, value, scope }: { tag: Tag; value: Json; scope: Scope },
    view: WriteView,
  ): Promise<Preparation> {
    const { path, type } = tag.definition;
    const no = (reason: string): Preparation => ({ ok: false, reason });
    const text = statementsOf(tag).write;
    if (text === null) return no('it has no write SQL, so it cannot be written (BadNotWritable)');
    const converted = convert(value, type);
    if (!converted.ok) return converted;
    const bound = bindSql(text, { tagName: path, scope, value: converted.value, type });
    if (!bound.ok) return bound;
    let result: PlantResult;
    try {
      result = await work.write(view, { tag: path, statement: bound.statement });
    } catch (thrown) {
      return no(`plant.db: ${messageOf(thrown)}`);
    }
    if ('error' in result) return no(`plant.db: ${result.error.message}`);
    const written: TagValue = { path, value: converted.value, quality: 'Good', type };
    const nothing = (): void => undefined;
    // plant.db stores it in its transaction; the tag itself stores nothing.
    return { ok: true, write: { before: undefined, written, apply: nothing, committed: nothing } };
  }

  return {
    kind: 'db',
    mode: 'batch',
    isOfOtherFile: true,
    parse,
    attach(tags) {
      for (const tag of tags) known.set(tag.id, statementsFrom(tag.definition.settings));
    },
    detach: (tag) => void known.delete(tag.id),
    erase: () => undefined,
    retype: () => undefined,
    read,
    prepare,
    changesAt: (tag, now) => now + statementsOf(tag).updateMs,
  };
}

function parse(settings: JsonObject): ParsedSettings {
  const parsed = schema.safeParse(settings, PLAIN);
  if (!parsed.success) return { ok: false, issues: issuesOf(parsed.error) };
  const { updateMs } = parsed.data;
  const [readSql, writeSql] = [given(parsed.data.readSql), given(parsed.data.writeSql)];
  for (const [member, mode, text] of [
    ['readSql', 'read', readSql],
    ['writeSql', 'write', writeSql],
  ] as const) {
    const checked = text === null ? null : checkSql(text, mode);
    if (checked?.ok === false) return refused(checked.reason, member);
  }
  if (readSql === null && writeSql === null) return refused('write SQL in readSql, writeSql or both');
  return {
    ok: true,
    settings: { ...(readSql !== null && { readSql }), ...(writeSql !== null && { writeSql }), updateMs },
  };
}

const given = (text: string | null | undefined): string | null => (text?.trim() ? text : null);

/** The statements in parsed settings. */
function statementsFrom(settings: JsonObject): Statements {
  const { readSql, writeSql, updateMs } = schema.parse(settings);
  return { read: textOf(readSql, 'read'), write: textOf(writeSql, 'write'), updateMs };
}

function textOf(text: string | null | undefined, mode: SqlMode): SqlText | null {
  const checked = text ? checkSql(text, mode) : null;
  return checked?.ok ? checked.text : null;
}

function bad({ definition: { path, type } }: Tag, quality: Quality, reason: string): TagValue {
  return { path, value: null, quality, type, reason };
}

/** One column and one row are a value, everything else rows as objects. */
function valueOf(tag: Tag, result: PlantResult): TagValue {
  if ('error' in result) return bad(tag, QUALITY_OF[result.error.fault], result.error.message);
  const { path, type } = tag.definition;
  if (result.more) {
    return bad(tag, 'BadOutOfRange', `its result has more than ${result.rows.length} rows (setting db.maxRows)`);
  }
  const [row] = result.rows;
  if (row === undefined && type !== 'Json') return bad(tag, 'BadNoData', 'its read SQL returned no row');
  const twice = result.columns.find((name, at) => result.columns.indexOf(name) !== at);
  if (twice !== undefined) {
    return bad(tag, 'BadConfigurationError', `two columns are named "${twice}": rename one with AS`);
  }
  const found = result.rows.length === 1 && row?.length === 1 ? (row[0] ?? null) : objectsOf(result);
  const converted = convert(found, type);
  if (converted.ok) return { path, value: converted.value, quality: 'Good', type };
  return bad(tag, 'BadTypeMismatch', `the result of its read SQL: ${converted.reason}${advice(result, type)}`);
}

function objectsOf({ columns, rows }: PlantRows): Json[] {
  return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null])));
}

function advice({ rows, columns }: PlantRows, type: TagType): string {
  if (type === 'DateTime') return `, for example with strftime('%Y-%m-%dT%H:%M:%fZ', …)`;
  return rows.length > 1 || columns.length > 1 ? '; the type of a tag that reads several rows or columns is Json' : '';
}
