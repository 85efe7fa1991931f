import type { PreviewedWindow, Rule, RuleText, StoredOutput } from '#domain/rule/rule';
import type { ClosedWindow, WindowInput } from '#domain/rule/rule-window';
import { windowsOf } from '#domain/rule/rule-window';
import { Turns } from '../../platform/turns.ts';
import type { WindowRepository } from '../../storage/repositories/window-repository.ts';
import type { ConditionRunner } from './conditions/condition.ts';
import { evaluateCondition } from './conditions/condition.ts';
import type { StoredInput } from './sampling/samples.ts';
import { samplesOf } from './sampling/samples.ts';

/** Maximum number of samples of one rule in a preview. */
const MAX_SAMPLES = 20_000;
/** Maximum number of windows in a preview. */
const MAX_WINDOWS = 200;

export interface RulePreview {
  /** The newest windows, oldest first. */
  windows: PreviewedWindow[];
  /** The number of samples in the preview. */
  samples: number;
  /** Tags that no rule has sampled. */
  unknownTags: string[];
}

/** The windows of a rule over recent samples: its own, and those of other rules for tags without its own samples. */
export async function previewOf(
  rule: Omit<RuleText, 'outputs'> & { outputs: StoredOutput[] },
  sources: readonly Rule[],
  store: WindowRepository,
  conditions: ConditionRunner,
): Promise<RulePreview> {
  const { inputs, unknownTags } = await inputsOf(rule, sources, store);
  const turns = new Turns();
  const windows = windowsOf(rule);
  const closed: ClosedWindow[] = [];
  let progress = windows.begin(inputs[0]?.at ?? 0);
  for (const input of inputs) {
    const step = windows.step(progress, input);
    progress = step.progress;
    if (step.closed) closed.push(step.closed);
    const pause = turns.due();
    if (pause) await pause;
  }
  const shown = closed.slice(-MAX_WINDOWS);
  const full = rule.condition.trim() === '' ? [] : shown.filter(({ empty }) => !empty);
  const evaluated =
    full.length === 0
      ? []
      : await evaluateCondition(
          rule,
          full.map(({ outputs }) => outputs),
          conditions,
        );
  const verdicts = new Map(full.map((window, place) => [window, evaluated[place]]));
  return {
    windows: shown.map((window): PreviewedWindow => {
      const { start, end, samples, bad: badSamples, outputs, empty } = window;
      const verdict = verdicts.get(window);
      const outcome = empty ? 'empty' : outcomeOf(verdict?.kind ?? 'fires');
      const message = verdict?.kind === 'error' ? verdict.message : null;
      return { start, end, samples, badSamples, outputs, outcome, message };
    }),
    samples: inputs.length,
    unknownTags,
  };
}

function outcomeOf(kind: 'fires' | 'no' | 'error' | 'later'): PreviewedWindow['outcome'] {
  if (kind === 'fires') return 'fires';
  return kind === 'no' ? 'condition' : 'error';
}

async function inputsOf(
  rule: Pick<RuleText, 'tags' | 'window'>,
  sources: readonly Rule[],
  store: WindowRepository,
): Promise<{ inputs: WindowInput[]; unknownTags: string[] }> {
  const wanted = new Map<Rule, Map<number, number>>();
  const unknownTags: string[] = [];
  const want = (path: string, as: number): void => {
    const source = sources.find(({ tags }) => tags.includes(path));
    if (!source) {
      unknownTags.push(path);
      return;
    }
    const places = wanted.get(source) ?? new Map<number, number>();
    places.set(source.tags.indexOf(path), as);
    wanted.set(source, places);
  };
  for (const [place, path] of rule.tags.entries()) want(path, place);
  const { window } = rule;
  const gated = window.kind === 'while' ? window.tag : null;
  const gates = sources.find((source) => source.window.kind === 'while' && source.window.tag === gated);
  if (gates) wanted.set(gates, (wanted.get(gates) ?? new Map<number, number>()).set(-1, -1));
  const inputs: WindowInput[] = [];
  const turns = new Turns();
  for (const [source, places] of wanted) {
    for (const input of recent(store, source.id)) {
      const place = places.get(input.kind === 'sample' ? input.tag : -1);
      if (place === undefined) continue;
      inputs.push(input.kind === 'sample' ? { ...input, tag: place } : input);
    }
    const pause = turns.due();
    if (pause) await pause;
  }
  return { inputs: inputs.toSorted((a, b) => a.at - b.at), unknownTags };
}

function recent(store: WindowRepository, ruleId: number): StoredInput[] {
  const batches: StoredInput[][] = [];
  let count = 0;
  for (const batch of store.newest(ruleId)) {
    batches.push(samplesOf(batch.samples, batch.fromMs));
    count += batch.count;
    if (count >= MAX_SAMPLES) break;
  }
  return batches.toReversed().flat();
}
