import type { Rule, RuleState, RuleWindow } from '#domain/rule/rule';
import { matchesWords } from '../../../frame/palette/palette-filter.ts';
import { durationText } from '#domain/text/duration';
import type { RuleDraft, RulesState } from './rules-model.ts';

/** An entry of the list: a saved rule, a draft of one, or both. */
export interface RuleListRow {
  key: string;
  name: string;
  rule: Rule | null;
  draft: RuleDraft | null;
  state: RuleState | null;
}

/** New rules first, then saved ones by name; `filter` matches if name, text or tags contain every word. */
export function listRows({ rules, drafts, states }: RulesState, filter: string): RuleListRow[] {
  const there = new Set(rules.map(({ id }) => `rule:${id}`));
  const fresh = [...drafts.values()]
    .filter(({ key }) => !there.has(key))
    .map((draft): RuleListRow => ({ key: draft.key, name: draft.form.name, rule: null, draft, state: null }));
  const saved = rules.map((rule): RuleListRow => {
    const key = `rule:${rule.id}`;
    return { key, name: rule.name, rule, draft: drafts.get(key) ?? null, state: states.get(rule.id) ?? null };
  });
  return [...fresh, ...saved].filter((row) => matchesWords(searchText(row), filter.trim()));
}

function searchText({ name, rule, draft }: RuleListRow): string {
  const form = draft?.form;
  return [
    name,
    form?.name,
    rule?.description ?? form?.description,
    ...(rule?.tags ?? form?.tags.map(({ path }) => path) ?? []),
  ].join('\n');
}

/** When the windows of a rule close, in a few words. */
export function windowText(window: RuleWindow): string {
  switch (window.kind) {
    case 'tumbling':
      return `every ${durationText(window.everyMs)}`;
    case 'count':
      return window.samples === 1 ? 'every sample' : `${window.samples} samples`;
    case 'while':
      return `while ${window.tag}`;
    case 'manual':
      return 'manual';
  }
  return window satisfies never;
}
