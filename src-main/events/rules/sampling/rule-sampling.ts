import { isUsable } from '#domain/tag/quality';
import type { SampleValue } from '#domain/rule/rule';
import type { TagValue } from '#domain/tag/tag';
import type { RuleRun } from '../rule-run.ts';
import type { Sampler } from './sampler.ts';

/** What a tag shows, where a rule can use it. */
export function sampleValue({ value, quality }: TagValue): SampleValue | null {
  if (!isUsable(quality)) return null;
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string' ? value : null;
}

/**
 * Takes the samples of a rule, and `taken` is called after them. The function returned ends it.
 */
export function sampleRule(sampler: Sampler, run: RuleRun, taken: () => void): () => void {
  const { tags, sampling, window } = run.rule;
  const places = new Map(tags.map((path, place) => [path, place]));
  const known = new Set<string>();
  const deliver = (at: number, values: readonly TagValue[]): void => {
    for (const value of values) {
      const tag = places.get(value.path);
      if (tag === undefined) continue;
      const sampled = sampleValue(value);
      const isFirst = !known.has(value.path);
      known.add(value.path);
      // What a restart finds unchanged is no new sample.
      if (sampling.kind === 'onChange' && isFirst && sampled !== null && sampled === run.held(tag)) continue;
      run.take({ kind: 'sample', at, tag, value: sampled });
    }
    taken();
  };
  const gate = (at: number, [value]: readonly TagValue[]): void => {
    // While nobody knows, the window stays as it is.
    if (!value || !isUsable(value.quality) || typeof value.value !== 'boolean') return;
    run.take({ kind: 'gate', at, open: value.value });
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
