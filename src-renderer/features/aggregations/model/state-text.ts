import type { SampleValue } from '#domain/rule/rule';

/**
 * The value of a typed state: `true`, `false` and numbers are parsed, all else is text; quotes make such a value a
 * text. undefined for an empty field.
 */
export function stateOf(text: string): SampleValue | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  try {
    const value: unknown = JSON.parse(trimmed);
    if (typeof value === 'boolean' || typeof value === 'string') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
  } catch {
    // Text without quotes.
  }
  return trimmed;
}

/** The text that `stateOf` parses as that value. */
export function stateText(state: SampleValue | undefined): string {
  if (state === undefined) return '';
  if (typeof state !== 'string') return String(state);
  return stateOf(state) === state ? state : JSON.stringify(state);
}
