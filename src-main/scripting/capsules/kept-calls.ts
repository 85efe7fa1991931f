import type { ApiExchange, ApiOperation } from '#domain/mock/api-call';
import type { RecordedCall, RecordedGet, RecordedSet } from '#domain/run/capsule';
import type { Scope } from '#domain/tag/scope';
import type { TagValue, TagWrite } from '#domain/tag/tag';
import { type Json, lengthOfJson } from '#domain/text/json';
import type { UnmaskedApi } from '../../outbound/recorded-call.ts';
import type { CallLine } from '../sandbox/script-run.ts';

/** What a call has besides its texts. */
const LENGTH_OF_CALL = 100;
const LENGTH_OF_MEMBER = 8;
/** A Get has seven members, three of them numbers, and a value has four; their texts come on top. */
const LENGTH_OF_GET = 7 * LENGTH_OF_MEMBER + 'get'.length + 3 * 4;
const LENGTH_OF_VALUE = LENGTH_OF_MEMBER + 4 * LENGTH_OF_MEMBER;
/** A Set has the same seven, with items in place of values, and an item has a tag and a value. */
const LENGTH_OF_SET = LENGTH_OF_GET;
const LENGTH_OF_ITEM = LENGTH_OF_MEMBER + 2 * LENGTH_OF_MEMBER;
const LENGTH_OF_TIME = '2026-01-01T00:00:00.000Z'.length;

/** The parts of a call that its beginning decides. */
export interface BegunCall {
  call: number;
  line: CallLine;
  clock: number;
}

/** A Get with values: what a capsule says about it is created when it is written. */
export interface KeptGet extends BegunCall {
  kind: 'values';
  scope: Scope;
  values: TagValue[];
  times: (number | null)[];
}

/** A Set: what a capsule says about it is created when it is written. */
export interface KeptSet extends BegunCall {
  kind: 'writes';
  scope: Scope;
  items: readonly TagWrite[];
  /** What was written; null until then, and if the run ended before. */
  values: readonly TagValue[] | null;
  before: readonly (Json | undefined)[];
}

/** A long API call, which a thread masks when the run has ended. */
export interface UnmaskedCall extends BegunCall {
  kind: 'unmasked';
  operation: ApiOperation;
  unmasked: UnmaskedApi;
  exchange: ApiExchange;
}

/** About the characters of a call. */
export const lengthOfCall = (call: RecordedCall | UnmaskedCall, enough: number): number =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a call is JSON
  LENGTH_OF_CALL + lengthOfJson(call as unknown as Json, enough);

export const scopeOf = ({ diagram, location }: Scope) => ({ diagram, location });

const itemOf = ({ tag, value, unfit }: TagWrite): TagWrite => ({ tag, value, ...(unfit && { unfit }) });

export function recordedGet({ call, line, clock, scope, values, times }: KeptGet): RecordedGet {
  const timed = values.map((value, index) => {
    const at = times[index] ?? null;
    return at === null ? value : { ...value, changedAt: new Date(at).toISOString() };
  });
  return { kind: 'get', call, line, clock, ...scopeOf(scope), values: timed };
}

export function recordedSet({ call, line, clock, scope, items, values, before }: KeptSet): RecordedSet {
  const written = values?.map((value, index) => {
    const old = before[index];
    return old === undefined ? value : { ...value, before: old };
  });
  const set = { kind: 'set' as const, call, line, clock, ...scopeOf(scope), items: items.map(itemOf) };
  return written ? { ...set, written } : set;
}

/** The same as `lengthOfCall` of the recorded Get, without walking through it: most values are numbers. */
export function lengthOfGet({ scope, values, times }: KeptGet, enough: number): number {
  let length = LENGTH_OF_CALL + LENGTH_OF_GET + scope.diagram.length + scope.location.length;
  let index = -1;
  for (const value of values) {
    if (length > enough) break;
    index += 1;
    length += lengthOfValue(value, enough - length);
    if (times[index] != null) length += LENGTH_OF_MEMBER + LENGTH_OF_TIME;
  }
  return length;
}

/** The same for a Set. */
export function lengthOfSet({ scope, items, values, before }: KeptSet, enough: number): number {
  let length = LENGTH_OF_CALL + LENGTH_OF_SET + scope.diagram.length + scope.location.length;
  for (const { tag, value, unfit } of items) {
    if (length > enough) break;
    length += LENGTH_OF_ITEM + tag.length + lengthOfJson(value, enough - length);
    if (unfit !== undefined) length += LENGTH_OF_MEMBER + lengthOfJson({ ...unfit }, enough - length);
  }
  if (values === null) return length;
  length += LENGTH_OF_MEMBER;
  let index = -1;
  for (const value of values) {
    if (length > enough) break;
    index += 1;
    length += lengthOfValue(value, enough - length);
    const old = before[index];
    if (old !== undefined) length += LENGTH_OF_MEMBER + lengthOfJson(old, enough - length);
  }
  return length;
}

function lengthOfValue({ path, value, quality, type, reason, overridden, forced }: TagValue, enough: number): number {
  let length = LENGTH_OF_VALUE + path.length + quality.length + type.length + lengthOfJson(value, enough);
  if (reason !== undefined) length += LENGTH_OF_MEMBER + reason.length;
  if (overridden !== undefined) length += LENGTH_OF_MEMBER + 4;
  if (forced !== undefined) length += LENGTH_OF_MEMBER + 4;
  return length;
}
