import type { WindowInput } from '#domain/rule/rule-window';
import type { SampleValue } from '#domain/rule/rule';

/** Inputs that are stored: samples, and the tag that opens a window, which stands as the tag -1. */
export type StoredInput = Exclude<WindowInput, { kind: 'time' }>;

type Entry = [at: number, tag: number, value: SampleValue | null];

/** Samples as a batch stores them; times count from the first. */
export function samplesText(inputs: readonly StoredInput[]): string {
  const from = inputs[0]?.at ?? 0;
  return JSON.stringify(
    inputs.map((input): Entry =>
      input.kind === 'sample' ? [input.at - from, input.tag, input.value] : [input.at - from, -1, input.open],
    ),
  );
}

/** @param from ms since 1970: when the first sample of the batch was taken */
export function samplesOf(text: string, from: number): StoredInput[] {
  const entries: Entry[] = JSON.parse(text);
  return entries.map(([at, tag, value]) =>
    tag < 0 ? { kind: 'gate', at: from + at, open: value === true } : { kind: 'sample', at: from + at, tag, value },
  );
}
