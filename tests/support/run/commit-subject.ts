const MAX_LENGTH = 71;

/** `fix(outbound): name the proxy in connect timeouts`; a breaking change has `!` before the colon. */
const SUBJECT =
  /^(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)\([a-z0-9][a-z0-9, -]*\)!?: (\S+)(.*)$/;

/** Words whose endings look like another form of a verb: `adds`, `added`, `adding`. */
const IMPERATIVE =
  /^(?:\w*(?:ss|us)|bias|alias|canvas|need|feed|seed|embed|exceed|proceed|succeed|speed|heed|shed|bring|ring|ping|string|spring)$/;

/** Why a subject does not follow the rules of CONTRIBUTING.md; null if it does. */
export function problemOfSubject(subject: string): string | null {
  if (subject.length > MAX_LENGTH) return `It has ${subject.length} characters. Use at most ${MAX_LENGTH}.`;
  const [, verb = '', rest = ''] = SUBJECT.exec(subject) ?? [];
  if (verb === '') return 'Begin with a type and a scope, such as "fix(outbound): ".';
  if (/^[A-Z]/.test(verb)) return `Write "${verb}" in lower case.`;
  if (/(?:ed|ing|s)$/.test(verb) && !IMPERATIVE.test(verb)) return `Use the imperative instead of "${verb}".`;
  return /[.:,;]$/.test(rest) ? 'Remove the punctuation at its end.' : null;
}
