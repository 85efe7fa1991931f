import type { Rule, RuleText } from '#domain/rule/rule';

/** A rule as it is saved: without the members that main adds. */
export function textOf(rule: Rule): RuleText {
  const { name, description, enabled, triggersEvents, tags, sampling, window, condition } = rule;
  const outputs = rule.outputs.map(({ name: output, reducer, tag, state }) => ({
    name: output,
    reducer,
    tag,
    ...(state !== undefined && { state }),
  }));
  return { name, description, enabled, triggersEvents, tags, sampling, window, outputs, condition };
}
