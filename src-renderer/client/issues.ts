/** The problems of a form, by field name. */
export type Issues = ReadonlyMap<string, string>;

/** One problem that main found in the input. */
export interface FieldIssue {
  path: (string | number)[];
  message: string;
}

/** The problems in the data of an error (`data.issues`); empty if it has none. */
export function issuesIn(data: unknown): FieldIssue[] {
  if (typeof data !== 'object' || data === null || !('issues' in data) || !Array.isArray(data.issues)) return [];
  return data.issues.filter(isIssue);
}

function isIssue(value: unknown): value is FieldIssue {
  return (
    typeof value === 'object' &&
    value !== null &&
    'path' in value &&
    Array.isArray(value.path) &&
    'message' in value &&
    typeof value.message === 'string'
  );
}

/** The message as a sentence. */
export function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
