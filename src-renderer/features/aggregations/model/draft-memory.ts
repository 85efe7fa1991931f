import { DraftMemory } from '../../../ui/draft-memory.ts';
import type { DraftStorage } from '../../../ui/draft-memory.ts';
import type { RuleForm } from './rule-form.ts';

/** What is typed of a rule and not saved. */
export interface RuleDraft {
  /** `rule:7` for a rule that is there, `new:…` for one that is not. */
  key: string;
  /** null for a new rule. */
  ruleId: number | null;
  /** `savedAt` of the rule when it was begun; another one says that another window saved meanwhile. */
  base: string | null;
  form: RuleForm;
}

/** Drafts of rules in the browser; they belong to a workspace. */
export function draftMemory(workspace: string, storage?: DraftStorage): DraftMemory<RuleDraft> {
  return new DraftMemory({
    prefix: `tagwright.aggregations.draft.${workspace}.`,
    isDraft: ({ form }) => Array.isArray(form.tags) && Array.isArray(form.outputs),
    storage,
  });
}
