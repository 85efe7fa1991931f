import type { PastValues } from '#domain/tag/past-values';
import type { PreviewedWindow, Rule, RuleText, StoredOutput } from '#domain/rule/rule';
import type { ClosedWindow } from '#domain/rule/rule-window';
import type { PreviewSource, RulePreview } from '#domain/rule/rule-preview';
import { unitOfOutput } from '#domain/rule/rule-preview';
import type { TagDefinition } from '#domain/tag/tag';
import { Turns } from '../../../platform/turns.ts';
import type { WindowRepository } from '../../../storage/repositories/window-repository.ts';
import type { ConditionRunner } from '../conditions/condition.ts';
import { evaluateCondition } from '../conditions/condition.ts';
import type { PastSpan } from './past-sampling.ts';
import { pastSpan, samplePast } from './past-sampling.ts';
import type { Recorded } from './recorded.ts';
import { GATE, recordedOf, recordedPast } from './recorded.ts';
import { Replay } from './replay.ts';

/** Maximum number of windows in a preview, of their values, and of the characters of these values. */
const MAX_WINDOWS = 1_000;
const MAX_VALUES = 40_000;
const MAX_TEXT = 1_000_000;

/** The rule of a preview: its columns are not those of a table. */
export type PreviewedRule = Omit<RuleText, 'outputs'> & { outputs: StoredOutput[] };

export interface PreviewParts {
  store: WindowRepository;
  conditions: ConditionRunner;
  /** The rules whose samples may be used, the preferred ones first. */
  rules: readonly Rule[];
  past: (path: string) => PastValues | null;
  definitionOf: (path: string) => Pick<TagDefinition, 'path' | 'type' | 'kind' | 'unit'>;
  now: number;
}

type Past = Omit<PastValues, 'basis'> & { basis: PreviewSource['basis'] };

/**
 * What a rule would have done if it had been active for the past hour: with values that can be computed for any moment,
 * and samples of rules for all other tags. If there are only such samples, over all of them. Writes nothing; rejects
 * when the signal aborts.
 */
export async function previewOf(rule: PreviewedRule, parts: PreviewParts, signal?: AbortSignal): Promise<RulePreview> {
  const paths = [...new Set([...rule.tags, ...(rule.window.kind === 'while' ? [rule.window.tag] : [])])];
  const known = new Map(paths.map((path) => [path, parts.past(path)]));
  const isComputed = (path: string): boolean => known.get(path)?.basis === 'signal';
  const recorded = await recordedOf(rule, parts.rules, { store: parts.store, skipped: isComputed });
  signal?.throwIfAborted();
  const pasts = new Map(paths.map((path) => [path, pastOf(path, rule, recorded, parts)]));
  const sources = paths.map((path): PreviewSource => sourceOf(path, pasts.get(path) ?? null, recorded, parts));
  const isRecorded = sources.every(({ basis }) => basis === 'samples' || basis === 'none');
  const run = isRecorded ? await replayed(rule, recorded, signal) : await computed(rule, pasts, parts.now, signal);
  const { replay, span, isLate } = run;
  const closed = withinText(replay.closed);
  return {
    windows: await outcomes(rule, closed, parts.conditions),
    samples: replay.samples,
    unknownTags: sources.filter(({ basis }) => basis === 'none').map(({ path }) => path),
    span: span && { from: span.from, to: span.to },
    limit: isLate ? 'time' : span?.isCut ? 'samples' : null,
    earlier: replay.total - closed.length,
    sources: sources.map((source) => (isBefore(source, span) ? { ...source, since: null } : source)),
    units: rule.outputs.map((output) => unitOfOutput(output, parts.definitionOf(output.tag).unit)),
  };

  function pastOf(path: string, of: PreviewedRule, samples: Recorded, { definitionOf }: PreviewParts): Past | null {
    const own = known.get(path) ?? null;
    if (own?.basis === 'signal') return own;
    const place = of.tags.includes(path) ? of.tags.indexOf(path) : GATE;
    const taken = recordedPast(samples, definitionOf(path), place);
    return taken ? { ...taken, basis: 'samples' } : own;
  }
}

interface Run {
  replay: Replay;
  span: PastSpan | null;
  /** Whether it ended early, because it took too long. */
  isLate: boolean;
}

const mostWindows = ({ outputs }: PreviewedRule): number =>
  Math.max(1, Math.min(MAX_WINDOWS, Math.floor(MAX_VALUES / outputs.length)));

/** The newest windows whose texts are not too long together; the last one in any case. */
function withinText(closed: readonly ClosedWindow[]): readonly ClosedWindow[] {
  let left = MAX_TEXT;
  const first = closed.findLastIndex(({ outputs }) => {
    for (const value of outputs) if (typeof value === 'string') left -= value.length;
    return left < 0;
  });
  return closed.slice(Math.min(first + 1, closed.length - 1));
}

/** With samples of rules as they were taken. */
async function replayed(rule: PreviewedRule, { inputs }: Recorded, signal?: AbortSignal): Promise<Run> {
  const replay = new Replay(rule, inputs[0]?.at ?? 0, mostWindows(rule));
  const turns = new Turns();
  for (const input of inputs) {
    replay.take(input);
    const pause = turns.due();
    if (!pause) continue;
    await pause;
    signal?.throwIfAborted();
  }
  return { replay, span: null, isLate: false };
}

async function computed(
  rule: PreviewedRule,
  all: ReadonlyMap<string, Past | null>,
  now: number,
  signal?: AbortSignal,
): Promise<Run> {
  const pasts = new Map([...all].filter((entry): entry is [string, Past] => entry[1] !== null));
  const span = pastSpan(rule, pasts, now);
  const replay = new Replay(rule, span.from, mostWindows(rule));
  const until = await samplePast(replay, pasts, span, { signal });
  return { replay, span: { ...span, to: until }, isLate: until < span.to };
}

function sourceOf(
  path: string,
  past: Past | null,
  { takenBy }: Recorded,
  { definitionOf }: PreviewParts,
): PreviewSource {
  const basis = past?.basis ?? 'none';
  return {
    path,
    kind: definitionOf(path).kind,
    basis,
    since: past && past.knownSince !== -Infinity ? past.knownSince : null,
    rule: basis === 'samples' ? (takenBy.get(path)?.name ?? null) : null,
  };
}

/** Whether everything in the span is known. */
const isBefore = ({ since }: PreviewSource, span: PastSpan | null): boolean =>
  since !== null && span !== null && since <= span.from;

async function outcomes(
  rule: PreviewedRule,
  closed: readonly ClosedWindow[],
  conditions: ConditionRunner,
): Promise<PreviewedWindow[]> {
  const full = rule.condition.trim() === '' ? [] : closed.filter(({ empty }) => !empty);
  const values = full.map(({ outputs }) => outputs);
  const evaluated = full.length === 0 ? [] : await evaluateCondition(rule, values, conditions);
  const verdicts = new Map(full.map((window, place) => [window, evaluated[place]]));
  return closed.map((window): PreviewedWindow => {
    const { start, end, samples, bad: badSamples, outputs, empty } = window;
    const verdict = verdicts.get(window);
    const outcome = empty ? 'empty' : outcomeOf(verdict?.kind ?? 'fires');
    const message = verdict?.kind === 'error' ? verdict.message : null;
    return { start, end, samples, badSamples, outputs, outcome, message };
  });
}

function outcomeOf(kind: 'fires' | 'no' | 'error' | 'later'): PreviewedWindow['outcome'] {
  if (kind === 'fires') return 'fires';
  return kind === 'no' ? 'condition' : 'error';
}
