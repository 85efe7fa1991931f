/** What is wrong with a form, by the name of the field. */
export type Issues = ReadonlyMap<string, string>;

/** One thing that main found wrong in what it was given. */
export interface Issue {
  path: (string | number)[];
  message: string;
}

/** What a refusal says of its input (`data.issues`); nothing where it says nothing. */
export function issuesIn(data: unknown): Issue[] {
  if (typeof data !== 'object' || data === null || !('issues' in data) || !Array.isArray(data.issues)) return [];
  return data.issues.filter(isIssue);
}

function isIssue(value: unknown): value is Issue {
  return (
    typeof value === 'object' &&
    value !== null &&
    'path' in value &&
    Array.isArray(value.path) &&
    'message' in value &&
    typeof value.message === 'string'
  );
}

/** The message as a sentence for people. */
export function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
