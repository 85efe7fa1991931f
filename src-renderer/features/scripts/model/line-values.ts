import type { Json } from '#domain/text/json';
import { type NotedValue, notesByLine, wholeNotesByLine } from '#domain/run/shown-values';
import type { ApiCallEntry, ReadEntry, RunActs, WriteEntry } from '#domain/run/run';
import { isFailed } from '#domain/run/trace';
import { shownAs } from '../../../support/shown-value.ts';

/** The effects of a run in a line of its own text, in a few words. */
export interface LineValue {
  /** From 1. */
  line: number;
  text: string;
  /** All of it, if the text is only a part. */
  whole?: string;
}

const MAX_TAGS = 3;
const MAX_VALUE = 40;
const MAX_LINES = 1_000;

interface ShownAct {
  /** Entries with the same key are combined. */
  key: string;
  /** The tag; null for an API call. */
  path: string | null;
  text: string;
  /** Whether the tag is bad or the call failed. */
  failed: boolean;
}

/** The number formats of tags by path. */
type Formats = ReadonlyMap<string, string>;

/** The reads, writes and calls of a run by line of its text, for the ends of these lines; ordered by line. */
export function lineValues({ reads, writes, apiCalls }: RunActs, formats: Formats = new Map()): LineValue[] {
  const entries = [
    ...reads.map((entry) => ({ entry, act: ofRead(entry, formats) })),
    ...writes.map((entry) => ({ entry, act: ofWrite(entry, formats) })),
    ...apiCalls.map((entry) => ({ entry, act: ofCall(entry) })),
  ].toSorted((a, b) => a.entry.seq - b.entry.seq);
  const byLine = new Map<number, ShownAct[]>();
  for (const { entry, act } of entries) {
    if (entry.line === null) continue;
    const all = byLine.get(entry.line);
    if (all) all.push(act);
    else byLine.set(entry.line, [act]);
  }
  return [...byLine]
    .toSorted(([a], [b]) => a - b)
    .slice(0, MAX_LINES)
    .map(([line, all]) => ({ line, text: summed(all) }));
}

/** What the variables of a run became, by line; what it read and wrote in the lines without variables. */
export function noteLines(values: readonly NotedValue[], acts: RunActs, formats: Formats = new Map()): LineValue[] {
  const whole = wholeNotesByLine(values);
  const notes = [...notesByLine(values)].map(([line, text]): LineValue => {
    const all = whole.get(line);
    return { line, text, ...(all !== undefined && { whole: all }) };
  });
  const noted = new Set(notes.map(({ line }) => line));
  const others = lineValues(acts, formats).filter(({ line }) => !noted.has(line));
  return [...notes, ...others].toSorted((a, b) => a.line - b.line).slice(0, MAX_LINES);
}

/**
 * The last value of each tag with its number of reads; only names if there are several tags. If there are more than fit,
 * failed ones come first.
 */
function summed(all: readonly ShownAct[]): string {
  const byKey = Map.groupBy(all, ({ key }) => key);
  const names = shortNames(all.flatMap(({ path }) => path ?? []));
  const ordered = [...byKey.values()];
  if (ordered.length > MAX_TAGS) ordered.sort((a, b) => Number(hasFailed(b)) - Number(hasFailed(a)));
  const parts = ordered.slice(0, MAX_TAGS).map((same) => {
    const { path, text } = same.at(-1) ?? { path: null, text: '' };
    const times = same.length > 1 ? ` ×${same.length}` : '';
    return byKey.size > 1 && path !== null ? `${names.get(path)} ${text}${times}` : `${text}${times}`;
  });
  const more = byKey.size - parts.length;
  return `${parts.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const hasFailed = (same: readonly ShownAct[]): boolean => same.at(-1)?.failed === true;

function ofRead(entry: ReadEntry, formats: Formats): ShownAct {
  const { path, value, quality } = entry;
  const doubt = quality === 'Good' ? '' : ` ${quality}`;
  const failed = isFailed({ what: 'read', depth: 0, ...entry });
  return { key: `read ${path}`, path, text: `${shown(value, formats.get(path))}${doubt}`, failed };
}

function ofWrite({ path, before, notRead, value }: WriteEntry, formats: Formats): ShownAct {
  const format = formats.get(path);
  const former = notRead ? 'not read' : shown(before, format);
  return { key: `write ${path}`, path, text: `${former} → ${shown(value, format)}`, failed: false };
}

function ofCall(entry: ApiCallEntry): ShownAct {
  const { method, url, statusCode, source, error } = entry;
  const by = source === 'mock' ? ' from a mock' : '';
  const failed = isFailed({ what: 'call', depth: 0, ...entry });
  return { key: `call ${method} ${url}`, path: null, text: `${method} ${error ?? statusCode}${by}`.trim(), failed };
}

const shown = (value: Json, format: string | undefined): string => shownAs(value, format, MAX_VALUE);

/**
 * The shortest names that distinguish the tags of a line: `Filler.Speed` and `Capper.Speed`, or just `Speed` if there is
 * no other. The property `Value` is omitted.
 */
function shortNames(paths: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  let open = [...new Set(paths)];
  for (let length = 1; open.length > 0; length += 1) {
    const byName = Map.groupBy(open, (path) => endOf(path, length));
    const isLast = (path: string) => length >= path.split('.').length;
    open = [...byName].flatMap(([name, same]) => {
      const done = same.length === 1 ? same : same.filter(isLast);
      for (const path of done) names.set(path, name);
      return same.filter((path) => !done.includes(path));
    });
  }
  return names;
}

/** The last parts of a path, not counting its property; `Speed` and `Speed.Max` for one part. */
function endOf(path: string, length: number): string {
  const parts = path.split('.');
  const isValue = parts.length > 1 && parts.at(-1) === 'Value';
  return isValue ? parts.slice(0, -1).slice(-length).join('.') : parts.slice(-length - 1).join('.');
}
