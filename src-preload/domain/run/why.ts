import type { SampleValue } from '../rule/rule.ts';
import type { Quality } from '../tag/quality.ts';
import type { Json } from '../text/json.ts';
import type { JournalScript } from './journal.ts';

/** A step of an explanation: what happened, and who did it. */
export interface WhyLine {
  /** 0 for the thing itself, and for what directly led to it or followed from it. */
  depth: number;
  /** RFC 3339 in UTC. */
  at: string;
  /** What happened, such as `wrote Plant.Line.Level.Value`. */
  action: string;
  /** Who did it, such as `script Line/Fill (version 3), line 12`. */
  actor: string;
  before?: Json;
  after?: Json;
  /** The saved script, and the line of the call in its body. */
  script?: JournalScript;
  line?: number;
  /** The entry of the journal, and the thing that can be explained in turn, such as `run:12`. */
  entry: number;
  thing?: string;
}

/** A sample of a window. Without a value, it was excluded, for its quality if that is known. */
export interface WhySample {
  at: string;
  tag: string;
  value: SampleValue | null;
  quality?: Quality;
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
  /** The samples that are still stored, at most 1,000. */
  list: WhySample[];
}

/** What led to the state of a thing, and what followed from it. */
export interface Why {
  /** `tag:PATH`, `event:ID`, `row:TABLE/ID` or `run:ID` */
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
