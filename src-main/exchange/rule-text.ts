import type { Rule, RuleText } from '#domain/rule/rule';

/** A rule in a hand-written file. */
export function ruleTextOf(rule: Rule): RuleText {
  const { name, description, enabled, triggersEvents, tags, sampling, window, condition } = rule;
  const outputs = rule.outputs.map(({ column: _column, columnType: _type, ...output }) => output);
  return { name, description, enabled, triggersEvents, tags, sampling, window, condition, outputs };
}
