import { nameKey } from '#domain/text/name-key';
import { issuesIn, sentence } from '../../../client/issues.ts';
import type { Issues } from '../../../client/issues.ts';
import type { ReadRule, RuleForm } from './rule-form.ts';

const ENTER_STATE = 'Enter the value whose time is measured, such as Idle, true or 3.';

/**
 * Assigns the problems of a rule that a procedure reported (`data.issues`) to their fields: `name`, `tags.3` (by the
 * key of the line), `outputs.0.state`.
 */
export function placedIssues(data: unknown, { tagKeys, outputKeys, issues }: ReadRule): Issues {
  const placed = new Map(issues);
  for (const { path, message } of issuesIn(data)) {
    const [part, place, ...rest] = path;
    const keys = part === 'tags' ? tagKeys : part === 'outputs' ? outputKeys : null;
    const field = keys && typeof place === 'number' ? [part, keys[place] ?? place, ...rest] : path;
    const name = field.join('.');
    // The text of the procedure shows how a file has it.
    const text = rest[0] === 'state' ? ENTER_STATE : sentence(message);
    if (!placed.has(name)) placed.set(name, text);
  }
  return placed;
}

/** The problem of a name that another rule has, ignoring case. */
export function nameIssue({ name }: RuleForm, others: readonly string[]): Issues {
  const other = others.find((one) => nameKey(one) === nameKey(name.trim()));
  return new Map(other === undefined ? [] : [['name', `Another rule is named "${other}". Choose another name.`]]);
}

/** The problems to show now: an empty field is not a problem before the first attempt to save. */
export function visibleIssues(issues: Issues, form: RuleForm, tried: boolean): Issues {
  if (tried) return issues;
  return new Map([...issues].filter(([field]) => !isBlank(field, form)));
}

function isBlank(field: string, form: RuleForm): boolean {
  const [part, key, member] = field.split('.');
  if (part === 'name') return form.name.trim() === '';
  if (part === 'tags') return form.tags.every(({ path }) => path.trim() === '');
  if (field === 'window.tag') return form.windowTag.trim() === '';
  if (part !== 'outputs') return false;
  const line = form.outputs.find((output) => String(output.key) === key);
  if (!line) return form.outputs.length === 0;
  if (member === 'name') return line.name.trim() === '';
  if (member === 'state') return line.state.trim() === '';
  return member === 'tag' && line.tag.trim() === '';
}
