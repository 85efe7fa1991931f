import { issuesIn, sentence } from '../../../client/issues.ts';
import type { Issues } from '../../../client/issues.ts';
import { fieldOfAnswer } from './answer-form.ts';
import { type MockForm, type ReadMock, answersIn } from './mock-form.ts';

/**
 * Assigns the problems of a mock that main reported (`issues`) to their fields: `name`, `request.url`,
 * `request.headers.3` (by the key of the line).
 */
export function placedIssues(data: unknown, { headerKeys, answerHeaderKeys, issues }: ReadMock): Issues {
  const placed = new Map(issues);
  for (const { path, message } of issuesIn(data)) {
    const whole = path[0] === 'draft' ? path.slice(2) : path;
    const isLater = whole[0] === 'sequence' && typeof whole[2] === 'number';
    const answer = isLater ? Number(whole[2]) + 1 : 0;
    const part = isLater ? fieldOfAnswer(answer) : String(whole[0]);
    const [member, index] = whole.slice(isLater ? 3 : 1);
    const keys = part === 'request' ? headerKeys : (answerHeaderKeys[answer] ?? []);
    const key = member === 'headers' && typeof index === 'number' ? `.${keys[index] ?? index}` : '';
    const name = member === undefined ? part : `${part}.${member}${key}`;
    if (!placed.has(name)) placed.set(name, sentence(message));
  }
  return placed;
}

/** The problems to show now: an empty field is not a problem before the first attempt to save. */
export function visibleIssues(issues: Issues, form: MockForm, tried: boolean): Issues {
  if (tried) return issues;
  const blankFiles = new Set(
    answersIn(form).flatMap(({ body, file }, index) =>
      body === 'file' && file.trim() === '' ? [`${fieldOfAnswer(index)}.body`] : [],
    ),
  );
  const blank = (field: string) =>
    (field === 'name' && form.name.trim() === '') ||
    (field === 'request.url' && form.url.trim() === '') ||
    (field === 'request.body' && form.match === 'contains' && form.matchText === '') ||
    blankFiles.has(field);
  return new Map([...issues].filter(([field]) => !blank(field)));
}
