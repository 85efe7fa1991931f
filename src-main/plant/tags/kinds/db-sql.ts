import type { Json } from '#domain/text/json';
import { isJsonObject } from '#domain/text/json';
import type { Scope } from '#domain/tag/scope';
import type { TagType } from '#domain/tag/tag';
import type { Bound, PlantStatement } from '../../../storage/plant/protocol.ts';
import type { SqlText } from '../../../storage/plant/sql-text.ts';

/** The values of a statement's parameters. */
export interface Arguments {
  tagName: string;
  scope: Scope;
  /** Absent in a read. The value in the type of the tag. */
  value?: Json;
  type?: TagType;
}

export type BoundStatement = { ok: true; statement: PlantStatement } | { ok: false; reason: string };

/**
 * The statement with its parameters bound: `:value`, its members as `:value.name` or `:name`, `:tagName`, `:diagram`
 * and `:location` (null for the internal default). Reports a parameter without a value.
 */
export function bindSql({ sql, parameters }: SqlText, given: Arguments): BoundStatement {
  if (parameters.length === 0) return { ok: true, statement: { sql } };
  const bind: Record<string, Bound> = {};
  for (const { bound, path } of parameters) {
    const found = boundOf(path, given);
    if (found === undefined) return { ok: false, reason: missing(path, given.value) };
    if (typeof found === 'string' && !found.isWellFormed()) return { ok: false, reason: halved(path) };
    bind[bound] = found;
  }
  return { ok: true, statement: { sql, bind } };
}

function boundOf(path: readonly string[], { tagName, scope, value, type }: Arguments): Bound | undefined {
  const [name = '', ...members] = path;
  if (name === 'tagName') return tagName;
  if (name === 'diagram') return scope.diagram || null;
  if (name === 'location') return scope.location || null;
  if (value === undefined) return undefined;
  if (name !== 'value') return plain(memberOf(value, [name]));
  return members.length === 0 ? wholeValue(value, type) : plain(memberOf(value, members));
}

function memberOf(value: Json, path: readonly string[]): Json | undefined {
  let at: Json | undefined = value;
  for (const name of path) at = isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return at;
}

function wholeValue(value: Json, type: TagType | undefined): Bound {
  if (type === 'Bytes' && typeof value === 'string') return { bytes: value };
  if (type === 'Double' && typeof value === 'number') return { real: value };
  return plain(value) ?? null;
}

/** SQLite has no Boolean, and no arrays and objects: these are JSON text. */
function plain(value: Json | undefined): Bound | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

/** SQLite would store another character in its place. */
function halved(path: readonly string[]): string {
  return `the text for :${path.join('.')} contains an unpaired surrogate, which SQLite cannot store; write it as Bytes or Json`;
}

function missing(path: readonly string[], value: Json | undefined): string {
  const written = `:${path.join('.')}`;
  const member = (path[0] === 'value' ? path.slice(1) : path).join('.');
  if (!isJsonObject(value)) return `its SQL names ${written}, but the value is not an object with a member "${member}"`;
  const there = Object.keys(value).slice(0, 10).join(', ');
  return `its SQL names ${written}, but the value has no member "${member}"${there === '' ? '' : `, but ${there}`}`;
}
