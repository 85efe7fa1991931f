import { nameKey } from '#domain/text/name-key';
import type { Rule, RuleText, StoredOutput } from '#domain/rule/rule';
import type { RuleRow } from '../../storage/repositories/rule-repository.ts';

/** What of a rule is stored as one text. */
type Definition = Pick<RuleText, 'description' | 'tags' | 'sampling' | 'window' | 'condition'> & {
  outputs: StoredOutput[];
};

/** The rule with another tag in place of one; where it names both, it names the other once. */
export function withTag(rule: Rule, path: string, newPath: string): Rule {
  const { tags, window, outputs } = rule;
  const renamed = (tag: string): string => (tag === path ? newPath : tag);
  return {
    ...rule,
    tags: [...new Set(tags.map(renamed))],
    window: window.kind === 'while' ? { ...window, tag: renamed(window.tag) } : window,
    outputs: outputs.map((output) => ({ ...output, tag: renamed(output.tag) })),
  };
}

/** A rule as the database keeps it, but for what that gives it. */
export function rowOf(rule: Omit<Rule, 'id' | 'resultTable'>): Omit<RuleRow, 'id' | 'resultTable'> {
  const { name, enabled, triggersEvents, savedAt, description, tags, sampling, window, outputs, condition } = rule;
  const definition: Definition = { description, tags, sampling, window, outputs, condition };
  return {
    name,
    nameKey: nameKey(name),
    enabled: Number(enabled),
    triggersEvents: Number(triggersEvents),
    definition: JSON.stringify(definition),
    savedAt,
  };
}

export function ruleOf({ id, name, enabled, triggersEvents, definition, resultTable, savedAt }: RuleRow): Rule {
  const stored: Definition = JSON.parse(definition);
  return { id, name, enabled: enabled === 1, triggersEvents: triggersEvents === 1, ...stored, resultTable, savedAt };
}
