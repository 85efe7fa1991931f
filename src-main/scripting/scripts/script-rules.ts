import type { Draft, ScriptText } from '#domain/run/script';
import { problemOfName, SCRIPT_LIMITS } from '#domain/run/script';
import { TagwrightError } from '../../platform/errors.ts';

/**
 * Limits of a draft: it is stored even if a field is too long for a script, up to these. Characters of names and
 * description, bytes of the body in UTF-8.
 */
export const DRAFT_LIMITS = {
  name: SCRIPT_LIMITS.name * 10,
  description: SCRIPT_LIMITS.description * 10,
  bodyBytes: SCRIPT_LIMITS.bodyBytes * 4,
} as const;

interface ScriptIssue {
  path: string;
  message: string;
}

/** Throws BAD_REQUEST with `data.issues` if the text cannot be saved as a script. */
export function checkScriptText(text: ScriptText): void {
  refuse([...nameIssues('group', text.group), ...nameIssues('name', text.name), ...textIssues(text)]);
}

/** Throws BAD_REQUEST with `data.issues` if a group cannot have this name. */
export function checkGroupName(name: string, path = 'name'): void {
  refuse(nameIssues('group', name).map(({ message }) => ({ path, message })));
}

/** Throws BAD_REQUEST with `data.issues` if the draft cannot be stored; unfinished and empty fields can. */
export function checkDraft(draft: Draft): void {
  const issues: ScriptIssue[] = [];
  const key = draft.scriptId === null ? /^new-./ : new RegExp(`^script-${draft.scriptId}(@.+)?$`);
  if (!key.test(draft.key)) {
    issues.push({
      path: 'key',
      message: 'a draft has the key script-<id>@<window>, or new-<something unique>@<window> without a scriptId',
    });
  }
  if (Number.isNaN(Date.parse(draft.changedAt))) {
    issues.push({ path: 'changedAt', message: 'changedAt must be a time such as 2026-08-01T10:15:00.000Z' });
  }
  for (const path of ['group', 'name', 'description'] as const) {
    const limit = path === 'description' ? DRAFT_LIMITS.description : DRAFT_LIMITS.name;
    issues.push(...lengthIssues(path, draft[path].length, limit, 'characters'));
  }
  issues.push(...lengthIssues('body', Buffer.byteLength(draft.body), DRAFT_LIMITS.bodyBytes, 'bytes'));
  for (const path of ['key', 'group', 'name', 'description', 'body'] as const) {
    issues.push(...unicodeIssues(path, draft[path]));
  }
  refuse(issues);
}

function nameIssues(path: 'group' | 'name', value: string): ScriptIssue[] {
  const problem = problemOfName(path, value);
  return problem === null ? unicodeIssues(path, value) : [{ path, message: problem }];
}

function textIssues({ description, body }: ScriptText): ScriptIssue[] {
  const issues = [
    ...lengthIssues('description', description.length, SCRIPT_LIMITS.description, 'characters'),
    ...lengthIssues('body', Buffer.byteLength(body), SCRIPT_LIMITS.bodyBytes, 'bytes'),
    ...unicodeIssues('description', description),
    ...unicodeIssues('body', body),
  ];
  if (body.trim() === '') {
    issues.push({ path: 'body', message: 'Body is required; an empty script can be stored as a draft' });
  }
  return issues;
}

function lengthIssues(path: string, length: number, limit: number, unit: string): ScriptIssue[] {
  if (length <= limit) return [];
  const label = path.charAt(0).toUpperCase() + path.slice(1);
  return [{ path, message: `${label} has at most ${limit} ${unit}, but this one has ${length}` }];
}

/** Half of a surrogate pair has no UTF-8 form: it would be read back as another character. */
function unicodeIssues(path: string, value: string): ScriptIssue[] {
  if (value.isWellFormed()) return [];
  const at = Array.from(value).findIndex((character) => !character.isWellFormed()) + 1;
  return [{ path, message: `character ${at} is an unpaired surrogate; write it as an escape such as \\ud800` }];
}

function refuse(issues: ScriptIssue[]): void {
  const [first] = issues;
  if (!first) return;
  throw new TagwrightError('BAD_REQUEST', `${issues.map((issue) => issue.message).join('. ')}.`, {
    data: { issues: issues.map(({ path, message }) => ({ path: [path], message })) },
  });
}
