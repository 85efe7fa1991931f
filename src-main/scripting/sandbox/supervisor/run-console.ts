import type { ConsoleEntry } from '#domain/run/run';
import { checkCount, ProtocolError } from '../../../platform/host-pipe/checks.ts';
import { LastEntries } from '../protocol/last-entries.ts';
import { MAX_CONSOLE_TOTAL } from '../protocol/limits.ts';
import { checkConsole } from './check-message.ts';

/** A guest reports how many entries it dropped at 1, 2, 4, 8 … and at the end. */
const MAX_DROPPED_NOTES = 64;

/** The console of one run: its last entries. Throws ProtocolError for more than a host sends. */
export class RunConsole {
  readonly #most: number;
  readonly #kept: LastEntries<ConsoleEntry>;
  #entries = 0;
  #length = 0;
  #droppedNotes = 0;
  /** How many entries the host dropped. */
  droppedByHost = 0;

  /** @param most entries that are kept */
  constructor(most: number) {
    this.#most = most;
    this.#kept = new LastEntries(most, MAX_CONSOLE_TOTAL);
  }

  /** An entry of the host, `elapsed` ms after the start of the run. */
  add(text: string, elapsed: number): ConsoleEntry {
    this.#entries += 1;
    this.#length += text.length;
    // A generous upper bound for how often a host may have sent its last entries.
    const times = 8 + elapsed / 2_000;
    if (this.#entries > this.#most * times) throw new ProtocolError('too many console entries');
    if (this.#length > MAX_CONSOLE_TOTAL * times) throw new ProtocolError('too much console text');
    const { at, length, ...entry } = checkConsole(text);
    const placed = { ...entry, at: roundMs(Math.min(at ?? elapsed, elapsed)) };
    this.#kept.add(placed, length);
    return placed;
  }

  /** The host has dropped so many entries. */
  noteDropped(text: string): void {
    this.#droppedNotes += 1;
    if (this.#droppedNotes > MAX_DROPPED_NOTES) throw new ProtocolError('too many counts of dropped console entries');
    this.droppedByHost = checkCount(Number(text));
  }

  get entries(): ConsoleEntry[] {
    return this.#kept.list();
  }

  /** How many entries are not kept. */
  get dropped(): number {
    return this.droppedByHost + this.#kept.dropped;
  }
}

/** To the microsecond. */
export function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
