import type { Cause, JournalItem, JournalWrite, RunOrigin, StoredCause } from '#domain/run/journal';
import type { Json } from '#domain/text/json';

/**
 * The stored form of entries, which is short, because every write of a value makes one: an array of the kind, the cause and
 * the rest. A cause is 0 for the user whose name follows elsewhere, an array of a run and a line, or an object.
 */
type ItemText = [kind: string, cause: CauseText, ...rest: Json[]];
type CauseText = [number, number | null] | Exclude<StoredCause, { by: 'run' }>;

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
    return items.map(itemOf);
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
      return { kind, cause, diagram: as(0), location: as(1), writes: writesOf(as(2)) };
    case 'force':
    case 'release':
    case 'clear':
    case 'define':
      return { kind, cause, tagIds: as(0), what: as(1) };
    case 'firing': {
      const [ruleId, rule, savedAt, condition, table] = as<[number, string, string, string, string]>(0);
      const firing = { ruleId, rule, savedAt, condition, table };
      return { kind, cause, firing: { ...firing, firstRow: as(1), lastRow: as(2), firstEvent: as(3) } };
    }
    case 'event':
      return { kind, cause, change: as(0), events: as(1) };
    case 'rule':
      return { kind, cause, ruleId: as(0), rule: as(1), what: as(2) };
    case 'restore':
      return { kind, cause, backup: as(0) };
    default:
      return null;
  }
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

/** The stored form of a run. */
export function runText(
  { script, tag, diagram, location, access, cause, end }: RunOrigin,
  user: string | null,
): string {
  const details = JSON.stringify({ script, tag, diagram, location, access, end });
  return `{"cause":${causeText(cause, user)},${details.slice(1)}`;
}
