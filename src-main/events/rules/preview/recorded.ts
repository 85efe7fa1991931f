import type { PastValues } from '#domain/tag/past-values';
import type { Rule, RuleText, SampleValue } from '#domain/rule/rule';
import type { TagDefinition } from '#domain/tag/tag';
import { Turns } from '../../../platform/turns.ts';
import type { WindowRepository } from '../../../storage/repositories/window-repository.ts';
import type { StoredInput } from '#domain/rule/rule-window';
import { samplesOf } from '../active-rule.ts';

/** Maximum number of samples of one rule in a preview. */
const MAX_SAMPLES = 20_000;

interface RecordedValue {
  at: number;
  value: SampleValue | null;
}

/** The samples that rules took of the tags of another rule. */
export interface Recorded {
  /** In order of time, with the tags of the other rule. */
  inputs: StoredInput[];
  /** The same by the place of the tag, `GATE` for that of the window. */
  byPlace: ReadonlyMap<number, readonly RecordedValue[]>;
  /** The rule that took the samples of a tag, by path. */
  takenBy: ReadonlyMap<string, Rule>;
}

/**
 * The recorded samples of the tags of a rule, and of the tag of its window.
 * @param sources the rules with samples; the first with a tag is used
 * @param skipped tags whose values are known otherwise
 */
export async function recordedOf(
  rule: Pick<RuleText, 'tags' | 'window'>,
  sources: readonly Rule[],
  { store, skipped }: { store: WindowRepository; skipped: (path: string) => boolean },
): Promise<Recorded> {
  const wanted = new Map<Rule, Map<number, number>>();
  const takenBy = new Map<string, Rule>();
  const want = (path: string, source: Rule | undefined, from: number, as: number): void => {
    if (!source || skipped(path)) return;
    const places = wanted.get(source) ?? new Map<number, number>();
    wanted.set(source, places.set(from, as));
    takenBy.set(path, source);
  };
  for (const [place, path] of rule.tags.entries()) {
    const source = sources.find(({ tags }) => tags.includes(path));
    want(path, source, source?.tags.indexOf(path) ?? 0, place);
  }
  const gated = rule.window.kind === 'while' ? rule.window.tag : null;
  if (gated !== null) {
    const source = sources.find(({ window }) => window.kind === 'while' && window.tag === gated);
    want(gated, source, GATE, GATE);
  }
  const inputs: StoredInput[] = [];
  const turns = new Turns();
  for (const [source, places] of wanted) {
    for (const input of recent(store, source.id)) {
      const place = places.get(input.kind === 'sample' ? input.tag : GATE);
      if (place === undefined) continue;
      inputs.push(input.kind === 'sample' ? { ...input, tag: place } : input);
    }
    const pause = turns.due();
    if (pause) await pause;
  }
  const ordered = inputs.toSorted((a, b) => a.at - b.at);
  return { inputs: ordered, byPlace: placed(ordered), takenBy };
}

/** The place of the tag of a window among the tags of a rule. */
export const GATE = -1;

function placed(inputs: readonly StoredInput[]): Map<number, RecordedValue[]> {
  const byPlace = new Map<number, RecordedValue[]>();
  for (const input of inputs) {
    const [place, value] = input.kind === 'gate' ? [GATE, input.open] : [input.tag, input.value];
    const values = byPlace.get(place);
    if (values) values.push({ at: input.at, value });
    else byPlace.set(place, [{ at: input.at, value }]);
  }
  return byPlace;
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

/** The recorded values of one tag as its past: each lasts until the next. null if there are none. */
export function recordedPast(
  { byPlace }: Pick<Recorded, 'byPlace'>,
  { path, type }: Pick<TagDefinition, 'path' | 'type'>,
  place: number,
): Omit<PastValues, 'basis'> | null {
  const own = byPlace.get(place) ?? [];
  const [first] = own;
  if (!first) return null;
  /** The number of values that are not after a moment. */
  const countAt = (ms: number): number => {
    let [low, high] = [0, own.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((own[middle]?.at ?? Infinity) <= ms) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    knownSince: first.at,
    at(ms) {
      const found = own[countAt(ms) - 1];
      return found ? { path, value: found.value, quality: found.value === null ? 'Bad' : 'Good', type } : null;
    },
    changesAt: (ms) => own[countAt(ms)]?.at ?? Infinity,
  };
}
