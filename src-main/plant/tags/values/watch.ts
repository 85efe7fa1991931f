import { setImmediate as turn } from 'node:timers/promises';
import type { Json } from '#domain/text/json';
import type { TagValue } from '#domain/tag/tag';
import { inBatches } from '../../../platform/response-size.ts';
import { ClockWatch } from '../../../platform/clock-watch.ts';
import type { MaybePromise } from '../../../platform/maybe-promise.ts';

/** The parts of the tags that a watch uses. */
export interface WatchSource {
  read(paths: readonly string[]): MaybePromise<TagValue[]>;
  /** ms since 1970. */
  now(): number;
  /** When a read of the path may next return another value without an `onTouched` call; Infinity for never. */
  changesAt(path: string, now: number): number;
  onTouched(listener: (paths: readonly string[]) => void): () => void;
}

/** At most ten batches a second: a screen shows no more. */
const BATCH_MS = 100;
/** Maximum number of reads and of sent values in one turn of the event loop: signals of one rate change in the same ms. */
const TAGS_A_TURN = 250;
/** The longest sleep of a timer; then the clock is checked again. */
const LOOK_MS = 60_000;

/**
 * Values of tags: all of them, then the changed ones, at most ten times a second, until the signal aborts; each time in
 * batches of at most 1,000. Until the next one is read, changes are coalesced to at most one value per tag.
 */
export async function* watchTags(
  paths: readonly string[],
  source: WatchSource,
  signal: AbortSignal,
): AsyncGenerator<TagValue[], void, undefined> {
  const due = new Map<string, number>(paths.map((path) => [path, Infinity]));
  const touched = new Set<string>();
  const sent = new Map<string, TagValue>();
  const alarm = new Alarm();
  const clockWatch = new ClockWatch();
  const take = (): string[] => {
    const now = source.now();
    return takeCandidates(touched, due, clockWatch.setBack(now) === null ? now : Number.MAX_VALUE);
  };
  const ring = (): void => alarm.ring();
  const stopListening = source.onTouched((changed) => {
    for (const path of changed) if (due.has(path)) touched.add(path);
    if (touched.size > 0) ring();
  });
  signal.addEventListener('abort', ring);
  try {
    let candidates = [...due.keys()];
    while (!signal.aborted) {
      const changed: TagValue[] = [];
      for (let begun = 0; begun < candidates.length && !signal.aborted; begun += TAGS_A_TURN) {
        if (begun > 0) await turn();
        const some = candidates.slice(begun, begun + TAGS_A_TURN);
        const now = source.now();
        for (const value of await source.read(some)) {
          if (isSame(sent.get(value.path), value)) continue;
          sent.set(value.path, value);
          changed.push(value);
        }
        for (const path of some) due.set(path, source.changesAt(path, now));
      }
      const startedAt = performance.now();
      if (changed.length > 0 || sent.size === 0) yield* inTurns(changed);

      await alarm.sleep(startedAt + BATCH_MS - performance.now(), signal);
      candidates = take();
      while (candidates.length === 0 && !signal.aborted) {
        await alarm.wait(Math.min(LOOK_MS, earliest(due) - source.now()));
        candidates = take();
      }
    }
  } finally {
    signal.removeEventListener('abort', ring);
    stopListening();
  }
}

/** One batch a turn: encoding the values of 5,000 tags for a client occupies this process for 17 ms. */
async function* inTurns(values: TagValue[]): AsyncGenerator<TagValue[], void, undefined> {
  let begun = 0;
  do {
    if (begun > 0) await turn();
    yield* inBatches(values.slice(begun, begun + TAGS_A_TURN));
    begun += TAGS_A_TURN;
  } while (begun < values.length);
}

/** @param now ms since 1970; the largest number selects everything that changes by itself, however far off */
function takeCandidates(touched: Set<string>, due: ReadonlyMap<string, number>, now: number): string[] {
  for (const [path, at] of due) if (at <= now) touched.add(path);
  const candidates = [...touched];
  touched.clear();
  return candidates;
}

function earliest(due: ReadonlyMap<string, number>): number {
  let first = Infinity;
  for (const at of due.values()) if (at < first) first = at;
  return first;
}

function isSame(a: TagValue | undefined, b: TagValue): boolean {
  if (a === undefined) return false;
  if (a === b) return true;
  return (
    a.quality === b.quality &&
    a.type === b.type &&
    a.changedAt === b.changedAt &&
    a.overridden === b.overridden &&
    a.forced === b.forced &&
    isSameJson(a.value, b.value)
  );
}

function isSameJson(a: Json, b: Json): boolean {
  if (a === b) return true;
  return typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b);
}

/** Wakes one sleeper: after its time, or when it is rung. Without a sleeper, the next one wakes at once. */
class Alarm {
  #rung = false;
  #wake: (() => void) | null = null;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Resolves after `ms` at the latest, at once if it was rung before. */
  async wait(ms: number): Promise<void> {
    if (!this.#rung) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, Math.max(1, ms));
      });
      clearTimeout(timer);
      this.#wake = null;
    }
    this.#rung = false;
  }

  /** Resolves after `ms` regardless of rings, or when the signal aborts. */
  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    const until = performance.now() + ms;
    for (let left = ms; left > 0 && !signal.aborted; left = until - performance.now()) await this.wait(left);
  }
}
