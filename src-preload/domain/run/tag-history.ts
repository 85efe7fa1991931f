import type { JournalScript } from './journal.ts';

/** What wrote or read a tag: a person, a line of a script, an import … */
export interface TagUser {
  /** Such as `script Line/Fill (version 3), line 12`. */
  actor: string;
  script?: JournalScript;
  line?: number;
  /** How often, among what was read of the journal. */
  count: number;
  /** The last time, RFC 3339 in UTC. */
  at: string;
  /** The last run that did it: `run:12`. */
  thing?: string;
}

/** Who wrote and who read a tag according to the journal, the latest first. */
export interface TagHistory {
  writers: TagUser[];
  /** Readers in runs that are stored in full. */
  readers: TagUser[];
  /** How many entries about the tag, and how many stored runs, were read: the newest ones. */
  entries: number;
  runs: number;
  /** Whether that was everything. */
  isComplete: boolean;
}
