import type { Scope } from '#domain/tag/scope';
import { ProtocolError } from '../../../platform/host-pipe/checks.ts';
import { MAX_AHEAD } from '../protocol/limits.ts';
import type { AheadCall, AheadRead, CallLine, HostCalls } from '../script-run.ts';

/** How many scripts are remembered, the longest of these, and how many of the Gets of each: 2 MB of texts at most. */
const MAX_SCRIPTS = 100;
const MAX_BODY = 50_000;
const MAX_GETS = 64;
/** Characters of the arguments of a Get that is remembered. */
const MAX_KEY = 300;
/** Characters of all responses that are sent ahead together. */
const MAX_TEXT = 16_384;
/** Gets that are sent ahead of a script whose habits are not known well. */
const FIRST_AHEAD = 4;

/** A Get of a script, apart from its line. */
interface KnownGet {
  /** Its arguments as the guest writes them. */
  key: string;
  paths: readonly string[];
  scope: Scope;
}

/** The Gets of one script, in all of its runs: which one followed which. */
export class ReadHabits {
  /** By the key of the Get before. */
  readonly #next = new Map<string, KnownGet>();
  /** How many are sent ahead: more while scripts use them all. */
  #most = FIRST_AHEAD;

  /** What probably follows a Get: a way without circles. */
  after({ key }: KnownGet): KnownGet[] {
    const way: KnownGet[] = [];
    const seen = new Set([key]);
    for (let next = this.#next.get(key); next !== undefined; next = this.#next.get(next.key)) {
      if (seen.has(next.key) || way.length >= this.#most) break;
      seen.add(next.key);
      way.push(next);
    }
    return way;
  }

  /** How many are sent ahead. */
  get most(): number {
    return this.#most;
  }

  /** A Get followed another one; null if something else did. */
  followed(last: KnownGet, next: KnownGet | null): void {
    if (next === null || (this.#next.size >= MAX_GETS && !this.#next.has(last.key))) this.#next.delete(last.key);
    else this.#next.set(last.key, next);
  }

  /** Adapts the number of Gets to send ahead: `count` of `of` were used. */
  used(count: number, of: number): void {
    if (count === of) this.#most = Math.min(2 * this.#most, MAX_AHEAD);
    else if (2 * count < of) this.#most = Math.max(1, Math.ceil(this.#most / 2));
  }
}

/** The habits of the scripts that ran last. */
export class ScriptHabits {
  readonly #habits = new Map<string, ReadHabits>();

  /** The habits of a script, by its text; null for a long one. */
  of(body: string): ReadHabits | null {
    if (body.length > MAX_BODY) return null;
    const habits = this.#habits.get(body) ?? new ReadHabits();
    this.#habits.delete(body);
    this.#habits.set(body, habits);
    const [oldest] = this.#habits.keys();
    if (this.#habits.size > MAX_SCRIPTS && oldest !== undefined) this.#habits.delete(oldest);
    return habits;
  }
}

/**
 * Responds to Gets of one run before its script makes them, in the order in which the script made them before. All are
 * read at one moment, so the host may use them within the same ms, and until its script makes any other call: what the
 * script knows is then not newer than these values. None repeats a Get, so a loop that waits for a value reads it each
 * time.
 */
export class ReadAhead {
  readonly #habits: ReadHabits | null;
  readonly #calls: HostCalls;
  /** The last Get of the script, unless it made another call since. */
  #last: KnownGet | null = null;
  #lastPaths: readonly string[] | null = null;
  #lastGet: KnownGet | null = null;
  /** The ones that it may use now; null for used ones. Those of a replay have no Get. */
  #sent: ({ get: KnownGet | null; read: Pick<AheadRead, 'used'>; tags: number } | null)[] = [];
  #used = 0;
  /** When they were read, and when the last frame of the host came, in ms of a monotonic clock. */
  #readAt = 0;
  #lastMessageAt = 0;

  constructor(calls: HostCalls, habits: ReadHabits | null) {
    this.#calls = calls;
    // A replay knows its calls.
    this.#habits = calls.upcoming ? new ReadHabits() : habits;
  }

  /** The script makes another call than a Get, or ends: what was sent ahead is void. */
  interrupted(): void {
    this.#follow(null);
  }

  /** The host sent something else in the meantime: later uses of values come after it. */
  messageArrived(): void {
    if (this.#sent.length > 0) this.#lastMessageAt = performance.now();
  }

  /** The script makes a Get that main has to respond to. */
  called(paths: readonly string[], scope: Scope): void {
    if (this.#habits === null || this.#calls.ahead === undefined || this.#calls.upcoming) return;
    // A loop that reads the same tags passes the same array each time.
    if (paths !== this.#lastPaths) this.#lastGet = knownGet(paths, scope);
    this.#lastPaths = paths;
    this.#follow(this.#lastGet);
  }

  /** The script has made a Get with the response that was sent ahead; returns the number of its tags. */
  use(place: number, line: CallLine, afterMs: number): number {
    const sent = this.#sent[place];
    if (!sent) throw new ProtocolError('the use of a value that was not sent ahead');
    this.#sent[place] = null;
    this.#used += 1;
    // The order of entries in the report is that of the script.
    this.#lastMessageAt = Math.max(this.#lastMessageAt, Math.min(this.#readAt + afterMs, performance.now()));
    sent.read.used(line, this.#lastMessageAt);
    if (this.#last !== null) this.#habits?.followed(this.#last, sent.get);
    this.#last = sent.get;
    return sent.tags;
  }

  /** The frame to send before the response to the last Get; null if nothing probably follows. */
  frame(): string | null {
    if (this.#calls.upcoming) this.#follow(null);
    this.#sent = [];
    if (this.#habits === null) return null;
    if (this.#calls.upcoming) return this.#replayed(this.#calls.upcoming(this.#habits.most));
    if (this.#last === null) return null;
    const way = this.#habits.after(this.#last);
    if (way.length === 0) return null;
    const now = Date.now();
    this.#readAt = performance.now();
    let text = String(now);
    for (const get of way) {
      const read = this.#calls.ahead?.(get.paths, get.scope) ?? null;
      if (read === null) break;
      const response = JSON.stringify({ value: read.columns });
      if (text.length + get.key.length + response.length > MAX_TEXT) break;
      text += `\n${get.key}\n${response}`;
      this.#sent.push({ get, read, tags: get.paths.length });
    }
    // The host can use them until the next ms only.
    if (Date.now() !== now) this.#sent = [];
    return this.#sent.length === 0 ? null : text;
  }

  /** The frame of a replay: its answers do not get old. */
  #replayed(calls: readonly AheadCall[]): string | null {
    this.#readAt = performance.now();
    let head = String(Date.now());
    let text = '';
    for (const read of calls) {
      const { key, value, reading, tags } = read;
      const response = JSON.stringify({ value });
      if (text.length + key.length + response.length > MAX_TEXT) break;
      head += `,${reading}`;
      text += `\n${key}\n${response}`;
      this.#sent.push({ get: null, read, tags });
    }
    return this.#sent.length === 0 ? null : head + text;
  }

  #follow(get: KnownGet | null): void {
    if (this.#sent.length > 0) this.#habits?.used(this.#used, this.#sent.length);
    this.#sent = [];
    this.#used = 0;
    if (this.#last !== null) this.#habits?.followed(this.#last, get);
    this.#last = get;
  }
}

/** Created here, whatever the host wrote: other hosts get it, too. null for one that is too long to remember. */
function knownGet(paths: readonly string[], scope: Scope): KnownGet | null {
  let length = 0;
  for (const path of paths) length += path.length + 3;
  if (length > MAX_KEY) return null;
  const key = `${JSON.stringify(paths)},${JSON.stringify(scope.diagram)},${JSON.stringify(scope.location)}`;
  return key.length > MAX_KEY ? null : { key, paths: [...paths], scope };
}
