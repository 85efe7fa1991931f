import type { Json } from '#domain/text/json';
import type { RunContext } from '#domain/run/run';
import type { SavedContext } from '#domain/run/saved-context';
import { typedNumber } from '../../../support/typed-number.ts';

export type ReadValue = { kind: 'absent' } | { kind: 'value'; value: Json } | { kind: 'problem'; message: string };

/** The parsed `tagValue`, or its problem. */
export function readValue({ valueMode, valueText }: Pick<SavedContext, 'valueMode' | 'valueText'>): ReadValue {
  if (valueMode === 'none') return { kind: 'absent' };
  if (valueMode === 'text') return { kind: 'value', value: valueText };
  if (valueMode === 'number') {
    const read = typedNumber(valueText);
    return read.ok ? { kind: 'value', value: read.value } : { kind: 'problem', message: read.reason };
  }
  if (valueText.trim() === '') return { kind: 'problem', message: 'Enter a JSON value, such as [{"id": 1}]' };
  try {
    const value: Json = JSON.parse(valueText);
    return { kind: 'value', value };
  } catch (error) {
    return { kind: 'problem', message: problemOfJson(valueText, error) };
  }
}

/** The context of a run, or null while the value is invalid. */
export function contextOf(form: SavedContext): RunContext | null {
  const value = readValue(form);
  if (value.kind === 'problem') return null;
  return {
    tagName: form.tagName.trim(),
    tagScopeDiagram: form.diagram.trim() === '' ? null : form.diagram.trim(),
    tagScopeLocation: form.location.trim() === '' ? null : form.location.trim(),
    ...(value.kind === 'value' ? { tagValue: value.value } : {}),
  };
}

/** Describes a JSON error, with line and column if the engine reports them. */
export function problemOfJson(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const position = /at position (\d+)/.exec(message)?.[1];
  const plain = message.replace(/ in JSON at position.*$/s, '').replace(/, "[\s\S]*" is not valid JSON$/, '');
  if (position === undefined) return `Invalid JSON: ${plain}`;
  const before = text.slice(0, Number(position)).split('\n');
  return `Invalid JSON: ${plain}, line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
