import type { Rule } from '#domain/rule';
import type { ClosedWindow } from '#domain/rule-window';
import { windowsOf } from '#domain/rule-window';
import type { TagValue } from '#domain/tag';
import { TagwrightError } from '../platform/errors.ts';
import type { Firing } from './firing.ts';
import type { Closing, RuleRun } from './rule-run.ts';
import { sampleValue } from './rule-sampling.ts';

/** What came of firing by hand. */
export interface FiredByHand {
  fired: number;
  firstRow: number;
  lastRow: number;
  /** null where the rule triggers no events. */
  firstEvent: number | null;
  lastEvent: number | null;
  resultTable: string;
}

/** The window with which a rule fires by hand, and how it is over: only a window by hand is, by that. */
export interface WindowByHand {
  window: ClosedWindow;
  closing: Closing | null;
}

/**
 * What the open window has gathered and what the tags show now. Throws CONFLICT where no tag shows a value that can be
 * used.
 */
export function windowByHand(run: RuleRun, at: number, values: readonly TagValue[]): WindowByHand {
  const { rule } = run;
  const samples = values.map((value, tag) => ({ kind: 'sample', at, tag, value: sampleValue(value) }) as const);
  if (rule.window.kind === 'manual') {
    if (samples.every(({ value }) => value === null) && (run.now(at)?.empty ?? true)) throw nothingToFireWith(rule);
    for (const sample of samples) run.take(sample);
    const closing = run.close(at);
    if (!closing || closing.window.empty) throw nothingToFireWith(rule);
    return { window: closing.window, closing };
  }
  const windows = windowsOf({ ...rule, window: { kind: 'manual' } });
  let progress = run.progress.window ? run.progress : windows.begin(at);
  for (const sample of samples) progress = windows.step(progress, sample).progress;
  const window = windows.closedAt(progress, Math.max(at, progress.window?.start ?? at));
  if (!window || window.empty) throw nothingToFireWith(rule);
  return { window, closing: null };
}

/** Adds firings to what came of those before them. */
export function withFirings(fired: FiredByHand, firings: readonly Firing[]): FiredByHand {
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

function nothingToFireWith({ name, tags }: Rule): TagwrightError {
  const what = tags.length === 1 ? `"${tags[0]}" shows` : `its ${tags.length} tags show`;
  return new TagwrightError(
    'CONFLICT',
    `The rule "${name}" has nothing to fire with: ${what} no value that can be used. Write one, or lift the bad quality.`,
  );
}
