import type {
  Cause,
  CurrentValue,
  JournalFiring,
  JournalItem,
  JournalScript,
  JournalWrite,
  RunCount,
  RunOrigin,
  StoredCause,
} from '#domain/run/journal';
import { QUALITIES } from '#domain/tag/quality';
import type { Scope } from '#domain/tag/scope';
import { isJsonObject, type Json } from '#domain/text/json';
import type { JournalValues } from './shown-values.ts';

/**
 * The stored form of entries, which is short, because every write of a value makes one: an array of the kind, the cause and
 * the rest. A cause is 0 for the user whose name follows elsewhere, an array of a run and a line, or an object.
 */
type ItemText = [kind: string, cause: CauseText, ...rest: Json[]];
type CauseText = [number, number | null] | Exclude<StoredCause, { by: 'run' }>;

/** After the values of a write whose outcome is unknown. */
const UNCERTAIN = 1;
/** After that, if it stands for any number of writes whose values are unknown. */
const AGAIN = 1;

/** The last moment that a `Date` has, ms since 1970. A damaged time can be later. */
const LAST_MOMENT = 8.64e15;

/** The cause of what a rule does when its window closes. */
export const BY_RULE = '{"by":"rule"}';

export function causeText(cause: Cause, user: string | null): string {
  if (cause.by === 'run') return `[${cause.run.id},${cause.line}]`;
  if (cause.by === 'person' || cause.by === 'import') return JSON.stringify({ ...cause, user });
  return JSON.stringify(cause);
}

const causeOf = (text: CauseText): StoredCause =>
  Array.isArray(text) ? { by: 'run', run: text[0], line: text[1] } : text;

/**
 * The entries of a row, each in its place. Null for one that cannot be read: a damaged row of the journal must prevent
 * nothing else.
 */
export function itemsOf(entries: string): (JournalItem | null)[] {
  try {
    const items: ItemText[] = JSON.parse(entries);
    return items.map((text) => {
      const item = itemOf(text);
      return item && isWhole(item) ? item : null;
    });
  } catch {
    return [];
  }
}

/** The entry of a text that `Journal` wrote. */
function itemOf([kind, causeOfText, ...rest]: ItemText): JournalItem | null {
  const cause = causeOf(causeOfText);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-parameters -- written by `Journal` only
  const as = <T>(at: number): T => rest[at] as T;
  switch (kind) {
    case 'write':
      return {
        kind,
        cause,
        diagram: as(0),
        location: as(1),
        writes: writesOf(as(2)),
        ...(rest[3] === UNCERTAIN && { isUncertain: true }),
        ...(rest[4] === AGAIN && { isAgain: true }),
      };
    case 'force':
    case 'release':
    case 'clear':
    case 'define':
      return { kind, cause, tagIds: as(0), what: as(1), ...(rest[2] !== undefined && { paths: as(2) }) };
    case 'firing': {
      const [ruleId, rule, savedAt, condition, table] = as<[number, string, string, string, string]>(0);
      const firing = { ruleId, rule, savedAt, condition, table };
      const current = currentOf(rest[4]);
      return {
        kind,
        cause,
        firing: { ...firing, firstRow: as(1), lastRow: as(2), firstEvent: as(3), ...(current && { current }) },
      };
    }
    case 'event':
      return { kind, cause, change: as(0), events: as(1) };
    case 'rule':
      return { kind, cause, ruleId: as(0), rule: as(1), what: as(2) };
    case 'restore':
      return { kind, cause, backup: as(0) };
    case 'count':
      return { kind, cause, count: as(0) };
    default:
      return null;
  }
}

/** Whether an entry has what explanations need: damaged JSON can still be JSON, and another version may write other members. */
function isWhole(item: JournalItem): boolean {
  if (!isCause(item.cause)) return false;
  switch (item.kind) {
    case 'write':
      return item.writes.length > 0 && areTexts(item.diagram, item.location);
    case 'force':
    case 'release':
    case 'clear':
    case 'define':
      return areIds(item.tagIds) && areTexts(item.what) && (!item.paths || arePaths(item.paths));
    case 'firing': {
      const { ruleId, firstRow, lastRow, rule, savedAt, condition, table } = item.firing;
      return areIds([ruleId, firstRow, lastRow]) && areTexts(rule, savedAt, condition, table);
    }
    case 'rule':
      return areIds([item.ruleId]) && areTexts(item.rule, item.what);
    case 'restore':
      return areTexts(item.backup);
    case 'event':
      return Array.isArray(item.events) && item.events.length > 0 && item.events.every(areIds);
    case 'count':
      return isJsonObject(item.count) && isWholeCount(item.count);
    default:
      return true;
  }
}

/** The stored form of a value that a firing by hand added. */
export function currentText({ tag, value, quality }: CurrentValue, shown: JournalValues): string {
  const why = quality === undefined ? '' : `,${JSON.stringify(quality)}`;
  return `[${JSON.stringify(tag)},${shown.json(value)}${why}]`;
}

/** The current values of a firing by hand; null if there are none, or one is damaged. */
function currentOf(stored: Json | undefined): CurrentValue[] | null {
  if (!Array.isArray(stored)) return null;
  const values = stored.flatMap((one): CurrentValue[] => {
    const [tag, value = null, name] = Array.isArray(one) ? one : [];
    const quality = QUALITIES.find((known) => known === name);
    if (typeof tag !== 'string' || (typeof value === 'object' && value !== null)) return [];
    return [{ tag, value, ...(quality && { quality }) }];
  });
  return values.length === stored.length ? values : null;
}

const areIds = (list: unknown): boolean =>
  Array.isArray(list) && list.length > 0 && list.every((id) => Number.isInteger(id));

function isWholeCount({ tagId, script, rule, sample, ...figures }: RunCount): boolean {
  const { runs, failed, from, to, totalMs, longestMs } = figures;
  return (
    [runs, failed, from, to, totalMs, longestMs].every(Number.isFinite) &&
    [from, to].every((at) => Math.abs(at) <= LAST_MOMENT) &&
    areIds([tagId ?? 0, sample ?? 0]) &&
    (script === null || isScript(script)) &&
    (rule === null || (isJsonObject(rule) && areIds([rule.id]) && areTexts(rule.name)))
  );
}

/** Whether a stored value is a version of a script. */
export const isScript = (script: unknown): script is JournalScript =>
  isJsonObject(script) && areTexts(script['name']) && Number.isInteger(script['version']);

const arePaths = (paths: unknown): boolean => Array.isArray(paths) && areTexts(...paths.slice(0, 1));

const areTexts = (...values: unknown[]): boolean => values.every((value) => typeof value === 'string');

/** Whether it has a cause, even one that this version does not know. */
export const isCause = (cause: unknown): boolean =>
  isJsonObject(cause) && typeof cause['by'] === 'string' && (cause['by'] !== 'run' || Number.isInteger(cause['run']));

/** A time as it can be shown, ms since 1970. */
export const shownTime = (ms: number): number => Math.min(LAST_MOMENT, Math.max(-LAST_MOMENT, ms));

/** Whether the writes of an interrupted Set were made, may have been, or were followed by others with the same cause. */
export type Repeated = 'certain' | 'uncertain' | 'again';

/** Entries of such writes. If they are uncertain, those to the workspace are skipped: they were dropped. */
export function repeatedText(entries: string, how: Repeated, isInWorkspace: (tagId: number) => boolean): string {
  if (how === 'certain') return entries;
  return how === 'again' ? againText(entries) : uncertainText(entries, isInWorkspace);
}

/** Entries of writes whose outcome is unknown: those of the tags whose values are not in the workspace. */
function uncertainText(entries: string, isInWorkspace: (tagId: number) => boolean): string {
  const items: [string, Json, string, string, Json[]][] = JSON.parse(entries);
  const uncertain = items.flatMap(([kind, cause, diagram, location, flat]) => {
    const left: Json[] = [];
    for (let at = 0; at < flat.length;) {
      const length = Number(flat[at]) < 0 ? 2 : 3;
      if (!isInWorkspace(Math.abs(Number(flat[at])))) left.push(...flat.slice(at, at + length));
      at += length;
    }
    return left.length === 0 ? [] : [[kind, cause, diagram, location, left, UNCERTAIN]];
  });
  return JSON.stringify(uncertain);
}

/** The same for writes to the same tags that followed, whose number and values are unknown. */
function againText(entries: string): string {
  const items: [string, Json, string, string, Json[]][] = JSON.parse(entries);
  const again = items.map(([kind, cause, diagram, location, flat]) => {
    const ids = new Set(writesOf(flat).map(({ tagId }) => tagId));
    return [kind, cause, diagram, location, [...ids].flatMap((id) => [-id, null]), UNCERTAIN, AGAIN];
  });
  return JSON.stringify(again);
}

/** A negative id: the value before was not read. */
function writesOf(flat: readonly Json[]): JournalWrite[] {
  const writes: JournalWrite[] = [];
  for (let at = 0; at < flat.length;) {
    const id = Number(flat[at]);
    if (id < 0) {
      writes.push({ tagId: -id, after: flat[at + 1] ?? null });
      at += 2;
    } else {
      writes.push({ tagId: id, before: flat[at + 1] ?? null, after: flat[at + 2] ?? null });
      at += 3;
    }
  }
  return writes;
}

/** An entry that counts runs. */
export const countText = (cause: Cause, count: RunCount): string =>
  `["count",${causeText(cause, null)},${JSON.stringify(count)}]`;

/** The stored form of a run. */
export function runText(
  { script, tag, diagram, location, access, cause, end }: RunOrigin,
  user: string | null,
): string {
  const details = JSON.stringify({ script, tag, diagram, location, access, end });
  return `{"cause":${causeText(cause, user)},${details.slice(1)}`;
}

/** A row with counts of runs; `id` is null until it is stored. */
export interface CountRow {
  id: number | null;
  counts: { cause: CountingCause; count: RunCount }[];
}

export type CountingCause = Extract<StoredCause, { by: 'read' | 'rule' }>;

/** Whether runs with this cause are counted. */
export const isCounting = (cause: { by: string }): cause is CountingCause => cause.by === 'read' || cause.by === 'rule';

/** Entries that are stored before it is known whether they are true. */
export interface IntendedEntries {
  /** See `Journal.repeat`. */
  text: string;
  count: number;
}

/** The id of an entry, and its time in ms since 1970 in UTC. */
export interface JournalPlace {
  id: number;
  at: number;
}

/** A value as it is written. */
export interface WrittenValue {
  readonly tag: { readonly id: number };
  readonly write: { readonly before: Json | undefined; readonly written: { readonly value: Json } };
  readonly scope: Scope;
  readonly cause: Cause;
}

/** Passes the writes that share an entry to `add`: their cause and the rest of its text. */
export function eachWrite(
  values: readonly WrittenValue[],
  shown: JournalValues,
  add: (cause: Cause, rest: string) => void,
): void {
  let [first] = values;
  if (!first) return;
  let flat = '';
  for (const value of values) {
    if (!isTogether(first, value)) {
      add(first.cause, writesText(first.scope, flat));
      first = value;
      flat = '';
    }
    const { tag, write } = value;
    const { cause } = value;
    const own = cause.by === 'run' ? cause.run.secrets : undefined;
    const after = shown.json(write.written.value, own);
    const before = write.before === undefined ? '' : `${shown.json(write.before, own)},`;
    flat += `${flat === '' ? '' : ','}${before === '' ? -tag.id : tag.id},${before}${after}`;
  }
  add(first.cause, writesText(first.scope, flat));
}

function writesText({ diagram, location }: Scope, flat: string): string {
  const scope = diagram === '' && location === '' ? '"",""' : `${JSON.stringify(diagram)},${JSON.stringify(location)}`;
  return `${scope},[${flat}]`;
}

/**
 * Whether two lists of writes are alike except for their values and runs: the same tags and scopes, and the same line of a
 * script in the same version, context and call.
 */
export const areAlike = (a: readonly WrittenValue[], b: readonly WrittenValue[]): boolean =>
  a.length === b.length &&
  a.every((value, at) => {
    const other = b[at];
    return (
      other !== undefined &&
      value.tag.id === other.tag.id &&
      isSameScope(value.scope, other.scope) &&
      isSameOrigin(value.cause, other.cause)
    );
  });

function isSameOrigin(a: Cause, b: Cause): boolean {
  if (a === b) return true;
  if (a.by !== 'run' || b.by !== 'run') return a.by === b.by && JSON.stringify(a) === JSON.stringify(b);
  if (a.line !== b.line) return false;
  const [one, other] = [a.run, b.run];
  if (one === other) return true;
  return (
    // The text of a body that is not saved is not known here.
    one.script !== null &&
    one.script.name === other.script?.name &&
    one.script.version === other.script.version &&
    one.tag === other.tag &&
    one.access === other.access &&
    isSameScope(one, other) &&
    isSameOrigin(one.cause, other.cause)
  );
}

const isSameScope = (a: Scope, b: Scope): boolean => a.diagram === b.diagram && a.location === b.location;

function isTogether(a: WrittenValue, b: WrittenValue): boolean {
  if (a.scope !== b.scope && !isSameScope(a.scope, b.scope)) return false;
  if (a.cause === b.cause) return true;
  if (a.cause.by !== 'run' || b.cause.by !== 'run') return false;
  return a.cause.run === b.cause.run && a.cause.line === b.cause.line;
}

/** Whether a firing follows directly on others of its rule. */
export function isNext(
  last: JournalFiring,
  { ruleId, firstRow, firstEvent, savedAt, current }: JournalFiring,
): boolean {
  if (ruleId !== last.ruleId || firstRow !== last.lastRow + 1 || savedAt !== last.savedAt) return false;
  if (current !== last.current) return false;
  const events = last.firstEvent === null ? null : last.firstEvent + last.lastRow - last.firstRow + 1;
  return firstEvent === events;
}
