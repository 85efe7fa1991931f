import { durationText } from '#domain/text/duration';
import { nameKey } from '#domain/text/name-key';
import type { RuleText } from '#domain/rule/rule';
import { REDUCERS, RULE_LIMITS } from '#domain/rule/rule';
import type { TagDefinition } from '#domain/tag/tag';
import { problemOfTumbling } from '#domain/rule/rule-window';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import { problemOfCondition } from './conditions/condition.ts';

export interface RuleIssue {
  path: (string | number)[];
  message: string;
}

/** The tags that a rule is checked against; throws NOT_FOUND with the nearest paths. */
export type DefinitionOf = (path: string) => Pick<TagDefinition, 'type'>;

/**
 * Throws BAD_REQUEST with `data.issues`: everything that is invalid in a rule. `keepMissing` accepts tags that do not
 * exist, as in a rule whose tag was deleted after it was saved.
 */
export function checkRule(rule: RuleText, definitionOf: DefinitionOf, keepMissing = false): void {
  const issues = [...issuesOf(rule, definitionOf, keepMissing)];
  if (issues.length === 0) return;
  const text = issues.slice(0, 3).map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new TagwrightError('BAD_REQUEST', `The rule "${rule.name}" cannot be saved. ${text.join('. ')}.`, {
    data: { issues: issues.map(({ path, message }) => ({ path, message })) },
  });
}

const issue = (message: string, ...path: (string | number)[]): RuleIssue => ({ path, message });

function* issuesOf(rule: RuleText, definitionOf: DefinitionOf, keepMissing: boolean): Generator<RuleIssue> {
  const { name, description, tags, window, sampling, outputs, condition } = rule;
  const limits = RULE_LIMITS;
  if (name.trim() === '' || name !== name.trim() || name.length > limits.name || /[\u0000-\u001f\u007f]/.test(name)) {
    yield issue(`write 1 to ${limits.name} characters on one line, without a space at either end`, 'name');
  }
  if (/^\d+$/.test(name)) yield issue('a name of digits only would be read as an id', 'name');
  if (description.length > limits.description) yield issue(`at most ${limits.description} characters`, 'description');
  if (tags.length < 1 || tags.length > limits.tags) yield issue(`name 1 to ${limits.tags} tags`, 'tags');
  for (const [place, path] of tags.entries()) {
    if (tags.indexOf(path) !== place) yield issue(`"${path}" is named twice`, 'tags', place);
    const problem = keepMissing ? null : problemOfTag(path, definitionOf);
    if (problem !== null) yield issue(problem, 'tags', place);
  }
  if (sampling.kind === 'interval' && !within(sampling.everyMs, limits.intervalMs)) {
    yield issue(rangeText(limits.intervalMs), 'sampling', 'everyMs');
  }
  if (window.kind === 'tumbling') {
    if (!within(window.everyMs, limits.tumblingMs)) yield issue(rangeText(limits.tumblingMs), 'window', 'everyMs');
    else {
      const problem = problemOfTumbling(window.everyMs);
      if (problem !== null) yield issue(problem, 'window', 'everyMs');
    }
  }
  if (window.kind === 'count' && !within(window.samples, { min: 1, max: limits.windowSamples })) {
    yield issue(`1 to ${limits.windowSamples} samples`, 'window', 'samples');
  }
  if (window.kind === 'while') {
    const problem = problemOfTag(window.tag, definitionOf);
    if (problem !== null && !keepMissing) yield issue(problem, 'window', 'tag');
    else if (problem === null && definitionOf(window.tag).type !== 'Boolean') {
      yield issue(`"${window.tag}" is of type ${definitionOf(window.tag).type}; name a Boolean tag`, 'window', 'tag');
    }
  }
  if (outputs.length < 1 || outputs.length > limits.outputs)
    yield issue(`name 1 to ${limits.outputs} outputs`, 'outputs');
  const names = new Set<string>();
  for (const [place, output] of outputs.entries()) {
    if (output.name.trim() === '' || output.name.length > limits.name) {
      yield issue(`write 1 to ${limits.name} characters`, 'outputs', place, 'name');
    }
    if (names.has(nameKey(output.name))) yield issue(`"${output.name}" occurs twice`, 'outputs', place, 'name');
    names.add(nameKey(output.name));
    if (output.tag === '') yield issue("name one of the rule's tags", 'outputs', place, 'tag');
    else if (!tags.includes(output.tag))
      yield issue(`"${output.tag}" is not one of the rule's tags`, 'outputs', place, 'tag');
    if (!REDUCERS.includes(output.reducer)) yield issue(`one of ${REDUCERS.join(', ')}`, 'outputs', place, 'reducer');
    if (output.reducer === 'timeInState' && output.state === undefined) {
      yield issue('enter the value, such as "state": "Running" or "state": true', 'outputs', place, 'state');
    }
  }
  if (condition.length > limits.condition) yield issue(`at most ${limits.condition} characters`, 'condition');
  else if (condition.trim() !== '') {
    const problem = problemOfCondition(condition);
    if (problem !== null) yield issue(problem, 'condition');
  }
}

function problemOfTag(path: string, definitionOf: DefinitionOf): string | null {
  try {
    definitionOf(path);
    return null;
  } catch (thrown) {
    return messageOf(thrown);
  }
}

const rangeText = ({ min, max }: { min: number; max: number }): string =>
  `enter ${durationText(min)} to ${durationText(max)}`;

const within = (value: number, { min, max }: { min: number; max: number }): boolean =>
  Number.isInteger(value) && value >= min && value <= max;

/** The parts of a rule that define its windows. */
export type WindowShape = Pick<RuleText, 'tags' | 'sampling' | 'window' | 'outputs'>;

/** Whether the windows of two rules are defined alike, so that an open one can continue. */
export function hasSameWindows(a: WindowShape, b: WindowShape): boolean {
  return shapeOf(a) === shapeOf(b);
}

const shapeOf = ({ tags, sampling, window, outputs }: WindowShape): string =>
  JSON.stringify([tags, sampling, window, outputs.map(({ tag, reducer, state }) => [tag, reducer, state])]);
