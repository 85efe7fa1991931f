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

/** Where drafts outlive the page; the browser's storage, or what a test puts in its place. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/**
 * Drafts of rules in the browser, an entry each, so that two windows do not overwrite what the other one keeps. They
 * belong to a workspace.
 */
export class DraftMemory {
  readonly #storage: DraftStorage;
  readonly #prefix: string;

  constructor(workspace: string, storage: DraftStorage = localStorage) {
    this.#storage = storage;
    this.#prefix = `tagwright.aggregations.draft.${workspace}.`;
  }

  /** All that are kept; what cannot be read is left where it is. */
  read(): RuleDraft[] {
    try {
      const keys = Array.from({ length: this.#storage.length }, (_, place) => this.#storage.key(place));
      return keys.filter((key) => key?.startsWith(this.#prefix)).flatMap((key) => this.#parsed(key ?? ''));
    } catch {
      return [];
    }
  }

  /** False when the browser does not keep it. */
  write(draft: RuleDraft): boolean {
    try {
      this.#storage.setItem(this.#prefix + draft.key, JSON.stringify(draft));
      return true;
    } catch {
      return false;
    }
  }

  forget(key: string): void {
    try {
      this.#storage.removeItem(this.#prefix + key);
    } catch {
      // A storage that is forbidden keeps nothing either.
    }
  }

  #parsed(key: string): RuleDraft[] {
    try {
      const draft: RuleDraft = JSON.parse(this.#storage.getItem(key) ?? '');
      return Array.isArray(draft.form.tags) && Array.isArray(draft.form.outputs) ? [draft] : [];
    } catch {
      return [];
    }
  }
}
