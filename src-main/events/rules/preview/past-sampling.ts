import type { PastValues } from '#domain/tag/past-values';
import { tumblingWindow } from '#domain/rule/rule-window';
import type { RuleText } from '#domain/rule/rule';
import type { Clock } from '../../../platform/clock.ts';
import { Turns } from '../../../platform/turns.ts';
import type { TagSource } from '../sampling/sampler.ts';
import { Sampler, sampleRule } from '../sampling/sampler.ts';
import type { Replay } from './replay.ts';

const HOUR_MS = 3_600_000;
/** Long windows reach further back, so that some of them close. */
const WINDOWS = 3;
const MAX_SPAN_MS = 24 * HOUR_MS;
/** Maximum number of reads of tags in a preview. */
const MAX_READS = 50_000;
/** Maximum time for the samples of a preview, ms. */
const MAX_MS = 10_000;

type Pasts = ReadonlyMap<string, Pick<PastValues, 'at' | 'changesAt'>>;

export interface PastSpan {
  from: number;
  to: number;
  /** Whether it is shorter than intended, because of the number of samples. */
  isCut: boolean;
}

/** The hour before a moment, or longer for long windows, or shorter if there would be too many samples. */
export function pastSpan(
  { sampling, window }: Pick<RuleText, 'sampling' | 'window'>,
  pasts: Pasts,
  to: number,
): PastSpan {
  const windowMs = window.kind === 'tumbling' ? window.everyMs : 0;
  const wanted = Math.min(MAX_SPAN_MS, Math.max(HOUR_MS, WINDOWS * windowMs));
  let readsPerMs = sampling.kind === 'interval' ? pasts.size / sampling.everyMs : 0;
  for (const past of pasts.values()) readsPerMs += 1 / periodOf(past, to);
  const ms = Math.min(wanted, Math.floor(MAX_READS / readsPerMs));
  const isCut = ms < wanted;
  if (windowMs === 0) return { from: to - ms, to, isCut };
  const { start, end } = tumblingWindow(to - ms, windowMs);
  return { from: isCut ? Math.min(end, to) : start, to, isCut };
}

/** The time between two changes of a tag, about. */
function periodOf({ changesAt }: Pasts extends ReadonlyMap<string, infer Past> ? Past : never, to: number): number {
  const next = changesAt(to);
  return next === Infinity ? Infinity : Math.max(1, changesAt(next) - next);
}

/**
 * Runs a rule over past values, with the sampler of active rules on a clock that jumps from change to change. Returns
 * the moment until which it came, the end of the span unless it took too long.
 * @param elapsed the clock of the time limit, ms
 */
export async function samplePast(
  replay: Replay,
  pasts: Pasts,
  span: PastSpan,
  { signal, elapsed = () => performance.now() }: { signal?: AbortSignal | undefined; elapsed?: () => number } = {},
): Promise<number> {
  const source = new PastTags(pasts, span.from);
  const sampler = new Sampler(source, source.clock, () => undefined);
  sampleRule(sampler, replay, () => undefined);
  const turns = new Turns();
  const began = elapsed();
  for (;;) {
    const next = Math.max(source.now, Math.min(sampler.nextAt, replay.closesAt));
    if (next > span.to) return span.to;
    source.now = next;
    sampler.read();
    if (replay.closesAt <= next) replay.take({ kind: 'time', at: next });
    const pause = turns.due();
    if (!pause) continue;
    await pause;
    signal?.throwIfAborted();
    if (elapsed() - began > MAX_MS) return next;
  }
}

/** The tags of the past, at a moment that moves on. */
class PastTags implements TagSource {
  now: number;
  readonly #pasts: Pasts;
  readonly definitions = { onChange: () => () => undefined };
  readonly live: TagSource['live'] = {
    get: ({ paths }) =>
      paths.map((path) => this.#pasts.get(path)?.at(this.now) ?? null).filter((value) => value !== null),
    changesAt: (path) => this.#pasts.get(path)?.changesAt(this.now) ?? Infinity,
    isImmediate: () => true,
  };

  constructor(pasts: Pasts, now: number) {
    this.#pasts = pasts;
    this.now = now;
  }

  get clock(): Clock {
    return { now: () => this.now, iso: () => new Date(this.now).toISOString() };
  }

  onValues(): () => void {
    return () => undefined;
  }
}
