import type { Json } from '#domain/text/json';
import type { ApiCallEntry, ReadEntry, RunActs, WriteEntry } from '#domain/run/run';
import { shownLive } from '../../../support/shown-value.ts';

/** The effects of a run in a line of its own text, in a few words. */
export interface LineValue {
  /** From 1. */
  line: number;
  text: string;
}

const MAX_TAGS = 3;
const MAX_VALUE = 40;
const MAX_LINES = 1_000;

interface Said {
  /** Entries with the same key are combined. */
  key: string;
  name: string;
  text: string;
}

/** The reads, writes and calls of a run by line of its text, for the ends of these lines; ordered by line. */
export function lineValues({ reads, writes, apiCalls }: RunActs): LineValue[] {
  const entries = [
    ...reads.map((entry) => ({ entry, said: ofRead(entry) })),
    ...writes.map((entry) => ({ entry, said: ofWrite(entry) })),
    ...apiCalls.map((entry) => ({ entry, said: ofCall(entry) })),
  ].toSorted((a, b) => a.entry.seq - b.entry.seq);
  const byLine = new Map<number, Said[]>();
  for (const { entry, said } of entries) {
    if (entry.line === null) continue;
    const all = byLine.get(entry.line);
    if (all) all.push(said);
    else byLine.set(entry.line, [said]);
  }
  return [...byLine]
    .toSorted(([a], [b]) => a - b)
    .slice(0, MAX_LINES)
    .map(([line, all]) => ({ line, text: summed(all) }));
}

/** The last value of each tag with its number of reads; only names if there are several tags. */
function summed(all: readonly Said[]): string {
  const byKey = Map.groupBy(all, ({ key }) => key);
  const parts = [...byKey.values()].slice(0, MAX_TAGS).map((same) => {
    const { name, text } = same.at(-1) ?? { name: '', text: '' };
    const times = same.length > 1 ? ` ×${same.length}` : '';
    return byKey.size > 1 && name !== '' ? `${name} ${text}${times}` : `${text}${times}`;
  });
  const more = byKey.size - parts.length;
  return `${parts.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function ofRead({ path, value, quality }: ReadEntry): Said {
  const doubt = quality === 'Good' ? '' : ` ${quality}`;
  return { key: `read ${path}`, name: nameOf(path), text: `${shown(value)}${doubt}` };
}

function ofWrite({ path, before, value }: WriteEntry): Said {
  return { key: `write ${path}`, name: nameOf(path), text: `${shown(before)} → ${shown(value)}` };
}

function ofCall({ method, url, statusCode, source }: ApiCallEntry): Said {
  const by = source === 'mock' ? ' from a mock' : source === 'none' ? ' not sent' : '';
  return { key: `call ${method} ${url}`, name: '', text: `${method} ${statusCode}${by}`.trim() };
}

const shown = (value: Json): string => shownLive(value, MAX_VALUE);

/** `Speed` of `Line1.Filler.Speed.Value`; `Speed.Max` of `Line1.Filler.Speed.Max`. */
function nameOf(path: string): string {
  const [name = path, property = ''] = path.split('.').slice(-2);
  return property === 'Value' ? name : `${name}.${property}`;
}
