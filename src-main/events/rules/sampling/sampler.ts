import type { TagValue } from '#domain/tag/tag';
import { isUsable } from '#domain/tag/quality';
import type { Rule, SampleValue } from '#domain/rule/rule';
import type { Clock } from '../../../platform/clock.ts';
import { ClockWatch } from '../../../platform/clock-watch.ts';
import type { MaybePromise } from '../../../platform/maybe-promise.ts';
import type { StoredInput } from '#domain/rule/rule-window';

/** The parts of the tags that sampling uses. */
export interface TagSource {
  readonly live: {
    get(input: { paths: readonly string[] }): MaybePromise<TagValue[]>;
    /** When a read may next return another value without an `onValues` call; ms since 1970, Infinity for never. */
    changesAt(path: string): number;
    /** Whether reading the tag is immediate: its kind keeps values in memory, or the tag does not exist. */
    isImmediate(path: string): boolean;
  };
  onValues(listener: (paths: readonly string[]) => void): () => void;
  readonly definitions: { onChange(listener: () => void): () => void };
}

/** Called with the values of some of the paths, all read at the same time. */
type Deliver = (at: number, values: readonly TagValue[]) => void;

interface Watched {
  /** The last value that each listener got. */
  listeners: Map<Deliver, TagValue | null>;
  due: number;
}

interface Interval {
  paths: readonly string[];
  everyMs: number;
  nextAt: number;
  reading: boolean;
  deliver: Deliver;
}

/** A change counts as sampled at the moment when it was due if it is read no later than this. */
const PUNCTUAL_MS = 1_000;

/** Takes the samples of all rules: every tag is read once, however many rules use it. */
export class Sampler {
  readonly #tags: TagSource;
  readonly #clock: Clock;
  readonly #clockWatch = new ClockWatch();
  readonly #watched = new Map<string, Watched>();
  readonly #intervals = new Set<Interval>();
  readonly #touched = new Set<string>();
  /** Paths with a slow read in progress. */
  readonly #slow = new Set<string>();
  #slowBusy = false;
  readonly #unsubscribe: (() => void)[] = [];
  readonly #wake: () => void;

  /** @param wake called if a read is due before `nextAt` */
  constructor(tags: TagSource, clock: Clock, wake: () => void) {
    this.#tags = tags;
    this.#clock = clock;
    this.#wake = wake;
  }

  start(): void {
    this.#unsubscribe.push(
      this.#tags.onValues((paths) => this.#touch(paths)),
      this.#tags.definitions.onChange(() => this.#touch(this.#watched.keys())),
    );
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe();
    this.#watched.clear();
    this.#intervals.clear();
  }

  /** Delivers the values at once and after every change. The returned function ends it. */
  onChange(paths: readonly string[], deliver: Deliver): () => void {
    for (const path of paths) {
      const watched = this.#watched.get(path) ?? { listeners: new Map(), due: Infinity };
      watched.listeners.set(deliver, null);
      this.#watched.set(path, watched);
    }
    this.#touch(paths);
    return () => {
      for (const path of paths) {
        const watched = this.#watched.get(path);
        watched?.listeners.delete(deliver);
        if (watched?.listeners.size === 0) this.#watched.delete(path);
      }
    };
  }

  /** Delivers all values at multiples of an interval. The returned function ends it. */
  every(everyMs: number, paths: readonly string[], deliver: Deliver): () => void {
    const interval: Interval = { paths, everyMs, nextAt: this.#clock.now(), reading: false, deliver };
    this.#intervals.add(interval);
    this.#wake();
    return () => void this.#intervals.delete(interval);
  }

  /** When the next read is due; ms since 1970. */
  get nextAt(): number {
    if (this.#touched.size > 0) return 0;
    let next = Infinity;
    for (const { due } of this.#watched.values()) if (due < next) next = due;
    for (const { nextAt } of this.#intervals) if (nextAt < next) next = nextAt;
    return next;
  }

  /** Reads due tags. */
  read(): void {
    const now = this.#clock.now();
    if (this.#clockWatch.setBack(now) !== null) this.#replan(now);
    const due = new Map<string, number>();
    for (const path of this.#touched) due.set(path, now);
    this.#touched.clear();
    for (const [path, watched] of this.#watched) if (watched.due <= now) due.set(path, watched.due);
    const immediate: string[] = [];
    for (const path of due.keys()) {
      const watched = this.#watched.get(path);
      if (!watched) continue;
      watched.due = this.#tags.live.changesAt(path);
      if (this.#tags.live.isImmediate(path)) immediate.push(path);
      else this.#slow.add(path);
    }
    if (immediate.length > 0) this.#deliver(immediate, due, now);
    if (this.#slow.size > 0) void this.#readSlow();
    for (const interval of this.#intervals) if (interval.nextAt <= now) void this.#readInterval(interval, now);
  }

  /**
   * After a jump of the clock, reads at once what was due far in the future; intervals continue at the next multiple.
   */
  #replan(now: number): void {
    for (const watched of this.#watched.values()) if (watched.due !== Infinity) watched.due = now;
    for (const interval of this.#intervals)
      interval.nextAt = Math.min(interval.nextAt, nextMultiple(now, interval.everyMs));
  }

  #touch(paths: Iterable<string>): void {
    for (const path of paths) if (this.#watched.has(path)) this.#touched.add(path);
    if (this.#touched.size > 0) this.#wake();
  }

  #deliver(paths: readonly string[], due: ReadonlyMap<string, number>, now: number): void {
    const values = this.#tags.live.get({ paths });
    if (values instanceof Promise) {
      void values.then((later) => this.#changed(later, due, this.#clock.now()));
      return;
    }
    this.#changed(values, due, now);
  }

  async #readSlow(): Promise<void> {
    if (this.#slowBusy) return;
    this.#slowBusy = true;
    try {
      while (this.#slow.size > 0) {
        const paths = [...this.#slow];
        this.#slow.clear();
        const values = await this.#tags.live.get({ paths });
        this.#changed(values, new Map(), this.#clock.now());
      }
    } finally {
      this.#slowBusy = false;
    }
  }

  #changed(values: readonly TagValue[], due: ReadonlyMap<string, number>, now: number): void {
    const deliveries = new Map<Deliver, Map<number, TagValue[]>>();
    for (const value of values) {
      const watched = this.#watched.get(value.path);
      if (!watched) continue;
      const wanted = due.get(value.path) ?? now;
      const at = now - wanted < PUNCTUAL_MS ? wanted : now;
      for (const [listener, last] of watched.listeners) {
        if (isSame(last, value)) continue;
        watched.listeners.set(listener, value);
        const byTime = deliveries.get(listener) ?? new Map<number, TagValue[]>();
        deliveries.set(listener, byTime);
        const same = byTime.get(at);
        if (same) same.push(value);
        else byTime.set(at, [value]);
      }
    }
    for (const [deliver, byTime] of deliveries) {
      for (const [at, some] of [...byTime].toSorted(([a], [b]) => a - b)) deliver(at, some);
    }
  }

  async #readInterval(interval: Interval, now: number): Promise<void> {
    const { everyMs, paths, deliver } = interval;
    const at = now - interval.nextAt < PUNCTUAL_MS ? interval.nextAt : now;
    interval.nextAt = nextMultiple(now, everyMs);
    // A read that takes longer than the interval ends before the next one starts.
    if (interval.reading) return;
    interval.reading = true;
    try {
      const read = this.#tags.live.get({ paths });
      const values = read instanceof Promise ? await read : read;
      if (this.#intervals.has(interval)) deliver(read instanceof Promise ? this.#clock.now() : at, values);
    } finally {
      interval.reading = false;
    }
  }
}

const nextMultiple = (now: number, everyMs: number): number => (Math.floor(now / everyMs) + 1) * everyMs;

function isSame(a: TagValue | null, b: TagValue): boolean {
  if (a === null) return false;
  return (
    a === b || (a.quality === b.quality && a.type === b.type && JSON.stringify(a.value) === JSON.stringify(b.value))
  );
}

/** The value of a tag, if a rule can use it. */
export function sampleValue({ value, quality }: TagValue): SampleValue | null {
  if (!isUsable(quality)) return null;
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string' ? value : null;
}

/** What a sample of a tag has: its value, or the quality for which it is excluded. */
export function sampleOf(value: TagValue): Pick<StoredInput & { kind: 'sample' }, 'value' | 'quality'> {
  const sampled = sampleValue(value);
  return { value: sampled, ...(sampled === null && { quality: value.quality }) };
}

/** The parts of an active rule that sampling uses. */
interface SampledRule {
  readonly rule: Pick<Rule, 'tags' | 'sampling' | 'window'>;
  /** The last usable value of a tag; null if there is none. */
  held(tag: number): SampleValue | null;
  take(input: StoredInput): void;
}

/** Takes the samples of a rule, and calls `taken` after them. The returned function ends it. */
export function sampleRule(sampler: Sampler, target: SampledRule, taken: () => void): () => void {
  const { tags, sampling, window } = target.rule;
  const places = new Map(tags.map((path, place) => [path, place]));
  const known = new Set<string>();
  const deliver = (at: number, values: readonly TagValue[]): void => {
    for (const value of values) {
      const tag = places.get(value.path);
      if (tag === undefined) continue;
      const sample = sampleOf(value);
      const isFirst = !known.has(value.path);
      known.add(value.path);
      // A value that is unchanged after a restart is not a new sample.
      if (sampling.kind === 'onChange' && isFirst && sample.value !== null && sample.value === target.held(tag))
        continue;
      target.take({ kind: 'sample', at, tag, ...sample });
    }
    taken();
  };
  const gate = (at: number, [value]: readonly TagValue[]): void => {
    // While the value is unknown, the window stays unchanged.
    if (!value || !isUsable(value.quality) || typeof value.value !== 'boolean') return;
    target.take({ kind: 'gate', at, open: value.value });
    taken();
  };
  const stops = [
    sampling.kind === 'interval' ? sampler.every(sampling.everyMs, tags, deliver) : sampler.onChange(tags, deliver),
  ];
  if (window.kind === 'while') stops.push(sampler.onChange([window.tag], gate));
  return () => {
    for (const stop of stops) stop();
  };
}
