import { setImmediate as turn } from 'node:timers/promises';
import type { Rule } from '#domain/rule/rule';
import type { ClosedWindow } from '#domain/rule/rule-window';
import { windowsOf } from '#domain/rule/rule-window';
import type { CurrentValue } from '#domain/run/journal';
import { TagwrightError } from '../../../platform/errors.ts';
import { callerNow } from '../../../platform/caller.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Firing, FiringParts } from './firing.ts';
import { fire } from './firing.ts';
import type { ActiveRule, Closing } from '../active-rule.ts';
import type { TagSource } from '../sampling/sampler.ts';
import { sampleOf } from '../sampling/sampler.ts';

/** The result of a manual firing. */
export interface FiredByHand {
  fired: number;
  firstRow: number;
  lastRow: number;
  /** null if the rule triggers no events. */
  firstEvent: number | null;
  lastEvent: number | null;
  resultTable: string;
}

/** The window with which a rule fires manually, and how it is settled: a manual firing only closes a manual window. */
interface WindowByHand {
  window: ClosedWindow;
  closing: Closing | null;
}

/** What a manual firing needs besides the rule. */
export interface ByHandParts extends FiringParts {
  clock: Clock;
  tags: Pick<TagSource, 'live'>;
}

interface ByHand {
  rule: Rule;
  times: number;
  /** Inside a job: whether the rule still exists. */
  isThere: () => boolean;
  /** Does the work in the transaction that stores the outcome of the window. */
  keep: (closing: Closing | null, work: () => Firing) => Promise<Firing>;
  /** Called after firings are stored. */
  fired: (firings: readonly Firing[]) => void;
}

/** Firings per transaction. */
const AT_ONCE = 500;

/**
 * Fires a rule the given number of times with the values of its tags. Fires fewer times if there is nothing more to
 * fire with: a manual window with samples fires once if its tags have no values now. Throws CONFLICT if there is
 * nothing at all, and NOT_FOUND if the rule was deleted in the meantime.
 */
export async function fireByHand(
  { clock, tags, results, events, journal }: ByHandParts,
  active: ActiveRule,
  { rule, times, isThere, keep, fired }: ByHand,
): Promise<FiredByHand> {
  const by = callerNow();
  let sum: FiredByHand = {
    fired: 0,
    firstRow: 0,
    lastRow: 0,
    firstEvent: null,
    lastEvent: null,
    resultTable: rule.resultTable,
  };
  while (sum.fired < times) {
    const values = await tags.live.get({ paths: rule.tags });
    const current = values.map((value) => ({ tag: value.path, ...sampleOf(value) }));
    const jobs: Promise<Firing>[] = [];
    let refusal: unknown = null;
    while (refusal === null && jobs.length < Math.min(AT_ONCE, times - sum.fired)) {
      const at = clock.now();
      try {
        const { window, closing } = windowByHand(active, at, current);
        const work = () => {
          // The deletion of its rows, and then its events, may already be in progress.
          if (!isThere()) throw deletedElsewhere(rule);
          return fire({ results, events, journal }, rule, window, { at, by, current });
        };
        jobs.push(keep(closing, work));
      } catch (thrown) {
        refusal = thrown;
      }
    }
    const ends = await Promise.allSettled(jobs);
    const firings = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
    fired(firings);
    sum = withFirings(sum, firings);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    if (refusal !== null && sum.fired === 0) throw refusal;
    if (refusal !== null) break;
    await turn();
  }
  return sum;
}

/** The contents of the open window and the current values of the tags. Throws CONFLICT if no tag has a usable value. */
function windowByHand(active: ActiveRule, at: number, current: readonly CurrentValue[]): WindowByHand {
  const { rule } = active;
  const samples = current.map(
    ({ value, quality }, tag) =>
      ({ kind: 'sample', at, tag, value, ...(quality !== undefined && { quality }) }) as const,
  );
  if (rule.window.kind === 'manual') {
    if (samples.every(({ value }) => value === null) && (active.now(at)?.empty ?? true)) throw nothingToFireWith(rule);
    for (const sample of samples) active.take(sample);
    const closing = active.close(at);
    if (!closing || closing.window.empty) throw nothingToFireWith(rule);
    return { window: closing.window, closing };
  }
  const windows = windowsOf({ ...rule, window: { kind: 'manual' } });
  let progress = active.progress.window ? active.progress : windows.begin(at);
  for (const sample of samples) progress = windows.step(progress, sample).progress;
  const window = windows.closedAt(progress, Math.max(at, progress.window?.start ?? at));
  if (!window || window.empty) throw nothingToFireWith(rule);
  return { window, closing: null };
}

/** Adds firings to the result of the previous ones. */
function withFirings(fired: FiredByHand, firings: readonly Firing[]): FiredByHand {
  const [first, last] = [firings[0], firings.at(-1)];
  if (!first || !last) return fired;
  return {
    ...fired,
    fired: fired.fired + firings.length,
    firstRow: fired.fired === 0 ? first.rowId : fired.firstRow,
    lastRow: last.rowId,
    firstEvent: fired.fired === 0 ? (first.event?.AggregationEventId ?? null) : fired.firstEvent,
    lastEvent: last.event?.AggregationEventId ?? null,
  };
}

function deletedElsewhere({ name }: Rule): TagwrightError {
  return new TagwrightError('NOT_FOUND', `The rule "${name}" was deleted while it fired. Restore it to fire it again.`);
}

function nothingToFireWith({ name, tags }: Rule): TagwrightError {
  const what = tags.length === 1 ? `"${tags[0]}" shows` : `its ${tags.length} tags have`;
  return new TagwrightError(
    'CONFLICT',
    `The rule "${name}" has nothing to fire with: ${what} no usable value. Write one, or clear the bad quality.`,
  );
}
