import type { SampleValue } from '../rule/rule.ts';
import type { Quality } from '../tag/quality.ts';
import type { Json } from '../text/json.ts';
import type { JournalKind, JournalScript, RunCount } from './journal.ts';

/** A thing that the journal explains. */
export type WhyThing =
  | { kind: 'tag'; path: string }
  | { kind: 'event'; id: number }
  | { kind: 'row'; table: string; row: number }
  | { kind: 'rule'; id: number }
  | { kind: 'run'; run: number }
  /** A request to the events API, a call in the log of API calls, and a record of the ERP outbox, by their numbers. */
  | { kind: 'request'; id: number }
  | { kind: 'call'; id: number }
  | { kind: 'erp'; id: number };

/** `tag:PATH`, `row:TABLE/ID`, or the kind and the number of another thing, such as `event:12`. */
export function thingText(thing: WhyThing): string {
  if (thing.kind === 'tag') return `tag:${thing.path}`;
  if (thing.kind === 'row') return `row:${thing.table}/${thing.row}`;
  return `${thing.kind}:${thing.kind === 'run' ? thing.run : thing.id}`;
}

/** The thing of such a text; null if it is none. */
export function thingOf(text: string): WhyThing | null {
  const [, kind, rest = ''] = /^(event|row|rule|run|tag|request|call|erp):(.+)$/s.exec(text) ?? [];
  if (kind === 'tag') return { kind, path: rest };
  const at = kind === 'row' ? rest.lastIndexOf('/') : -1;
  const id = Number(rest.slice(at + 1));
  if (!/^\d+$/.test(rest.slice(at + 1)) || !Number.isSafeInteger(id) || id < 1) return null;
  if (kind === 'event' || kind === 'rule' || kind === 'request' || kind === 'call' || kind === 'erp')
    return { kind, id };
  if (kind === 'run') return { kind, run: id };
  return at < 1 ? null : { kind: 'row', table: rest.slice(0, at), row: id };
}

/** What a line is about: an entry of the journal, a run, or an entry of another log. */
export type WhyLineKind = JournalKind | 'run' | 'request' | 'call';

/** A step of an explanation: what happened, and who did it. */
export interface WhyLine {
  /** 0 for the thing itself, and for what directly led to it or followed from it. */
  depth: number;
  /** RFC 3339 in UTC. */
  at: string;
  kind: WhyLineKind;
  /** What happened, such as `wrote Plant.Line.Level.Value`. */
  action: string;
  /** Who did it, such as `script Line/Fill (version 3), line 12`. */
  actor: string;
  before?: Json;
  after?: Json;
  /** The saved script, and the line of the call in its body. */
  script?: JournalScript;
  line?: number;
  /** Who did it, if that is a run: its saved script, and the line of the call there. */
  by?: { script: JournalScript; line?: number };
  /** The request that did it, as a client of the events API sent it. */
  request?: { method: string; address: string };
  /** The tag, the rule and the first event that it is about; their names are in the action. */
  tag?: string;
  rule?: { id: number; name: string };
  event?: number;
  /** Runs that changed nothing. The times are RFC 3339 in UTC. */
  count?: ShownCount;
  /**
   * The entry of the journal, 0 for a line of another log, and the thing that can be explained in turn, such as `run:12`.
   */
  entry: number;
  thing?: string;
}

/** Runs that changed nothing, as a line shows them. `sample` is null if that run is no longer stored. */
export interface ShownCount extends Pick<RunCount, 'runs' | 'failed' | 'longestMs' | 'sample'> {
  from: string;
  to: string;
  meanMs: number;
}

/** A sample of a window. Without a value, it was excluded, for its quality if that is known. */
export interface WhySample {
  at: string;
  tag: string;
  value: SampleValue | null;
  quality?: Quality;
  /** A firing by hand added it: the current value of the tag. */
  current?: true;
}

/** The window of a data row. */
export interface WhyWindow {
  start: string;
  end: string;
  samples: number;
  badSamples: number;
  rule: string;
  savedAt: string;
  condition: string;
  /** The outputs of the row by their columns. */
  values: Record<string, Json>;
  /** The samples that are still stored, at most 1,000, and then the current values that a firing by hand added. */
  list: WhySample[];
}

/** What led to the state of a thing, and what followed from it. */
export interface Why {
  /** See `thingText`. */
  thing: string;
  /** When the journal begins, RFC 3339 in UTC; null if it is empty. */
  since: string | null;
  /** Why there is no explanation, or only a part of it; null otherwise. */
  problem: string | null;
  /** The latest first. */
  causes: WhyLine[];
  window: WhyWindow | null;
  /** The earliest first. */
  effects: WhyLine[];
}
