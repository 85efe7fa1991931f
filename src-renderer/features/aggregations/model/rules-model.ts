import type { Rule, RuleState, RuleText } from '#domain/rule';
import type { Client } from '../../../client/client.ts';
import { isAbort, problemOf } from '../../../client/errors.ts';
import type { Problem } from '../../../client/errors.ts';
import { follow } from '../../../client/follow.ts';
import type { DraftMemory, DraftStorage } from '../../../ui/draft-memory.ts';
import { Store } from '../../../ui/store.ts';
import { draftMemory } from './draft-memory.ts';
import type { RuleDraft } from './draft-memory.ts';
import { copyName, formOf, newForm, readForm, saysTheSame } from './rule-form.ts';
import type { RuleForm } from './rule-form.ts';
import { textOf } from './rule-text.ts';

const RECALL_AGAIN_AFTER_MS = 1_000;

export interface RulesState {
  rules: readonly Rule[];
  /** How they fare, by id. */
  states: ReadonlyMap<number, RuleState>;
  drafts: ReadonlyMap<string, RuleDraft>;
  /** `rule:7` or the key of a draft. */
  selected: string | null;
  loaded: boolean;
  problem: Problem | null;
  /** Whether the browser keeps drafts; without, they end with the page. */
  keeps: boolean;
}

/** Thrown by `save` where another window saved the rule after its draft was begun: nothing was saved. */
export class SavedMeanwhileError extends Error {
  override readonly name = 'SavedMeanwhileError';
}

export const keyOf = (id: number): string => `rule:${id}`;

/** The rules, how they fare, and what is typed of them and not saved. */
export class RulesModel {
  readonly store = new Store<RulesState>({
    rules: [],
    states: new Map(),
    drafts: new Map(),
    selected: null,
    loaded: false,
    problem: null,
    keeps: true,
  });
  readonly #client: Pick<Client, 'app' | 'rules'>;
  readonly #storage: DraftStorage | undefined;
  #memory: DraftMemory<RuleDraft> | null = null;
  #drafted = 0;

  constructor(client: Pick<Client, 'app' | 'rules'>, storage?: DraftStorage) {
    this.#client = client;
    this.#storage = storage;
  }

  /** Lists and follows the rules until the signal aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    const { rules } = this.#client;
    void follow(
      (end) => rules.changes(undefined, { signal: end }),
      () => void this.#list(signal),
      signal,
    );
    void follow(
      (end) => rules.state(undefined, { signal: end }),
      (changed) => this.#heard(changed),
      signal,
    );
    await this.#recall(signal);
    await this.#list(signal);
  }

  rule(key: string | null): Rule | undefined {
    return this.store.get().rules.find(({ id }) => keyOf(id) === key);
  }

  select(key: string | null): void {
    this.#patch({ selected: key });
  }

  /** Begins a new rule and selects it. */
  create(form: RuleForm = newForm()): string {
    this.#drafted += 1;
    const draft = { key: `new:${Date.now()}.${this.#drafted}`, ruleId: null, base: null, form };
    this.#keep(draft);
    this.select(draft.key);
    return draft.key;
  }

  /** Begins a new rule with what another one says, saved or not. */
  duplicate(key: string): void {
    const form = this.form(key);
    const names = this.store.get().rules.map(({ name }) => name);
    if (form) this.create({ ...form, name: copyName(form.name || 'Rule', names) });
  }

  /** What is typed of it, else what is saved. */
  form(key: string): RuleForm | null {
    const draft = this.store.get().drafts.get(key);
    if (draft) return draft.form;
    const rule = this.rule(key);
    return rule ? formOf(rule) : null;
  }

  /** Keeps what is typed; a form that says what is saved is no draft. */
  edit(key: string, form: RuleForm): void {
    const before = this.store.get().drafts.get(key);
    const rule = this.rule(key);
    const base = before ? before.base : (rule?.savedAt ?? null);
    if (rule && base === rule.savedAt && saysTheSame(form, rule)) this.discard(key);
    else this.#keep({ key, ruleId: before ? before.ruleId : (rule?.id ?? null), base, form });
  }

  /** Forgets a draft; returns it, so that it can be brought back. */
  discard(key: string): RuleDraft | null {
    const { drafts, selected } = this.store.get();
    const draft = drafts.get(key) ?? null;
    const next = new Map(drafts);
    next.delete(key);
    this.#memory?.forget(key);
    const there = this.rule(key) !== undefined;
    this.#patch({ drafts: next, selected: key === selected && !there ? null : selected });
    return draft;
  }

  bringBack(draft: RuleDraft): void {
    this.#keep(draft);
    this.select(draft.key);
  }

  /** Says that the draft knows what another window saved, and is to take its place. */
  keepMine(key: string): void {
    const draft = this.store.get().drafts.get(key);
    const rule = this.rule(key);
    if (draft) this.#keep({ ...draft, ruleId: rule?.id ?? null, base: rule?.savedAt ?? null });
  }

  /**
   * Saves what is typed. Throws SavedMeanwhileError where another window saved after the draft was begun, and what
   * rules.save throws.
   */
  async save(key: string): Promise<Rule> {
    const draft = this.store.get().drafts.get(key);
    const form = this.form(key);
    if (!form) throw new Error('There is nothing to save.');
    const saved = await this.#save(readForm(form).rule, draft ?? this.#draftOf(key, form));
    this.#put(saved);
    const now = this.store.get().drafts.get(key);
    if (now && now.form !== form) {
      // Typed while it was being saved.
      this.discard(key);
      this.#keep({ key: keyOf(saved.id), ruleId: saved.id, base: saved.savedAt, form: now.form });
    } else this.discard(key);
    const { selected } = this.store.get();
    if (selected === key || selected === null) this.select(keyOf(saved.id));
    return saved;
  }

  /** Changes a rule that is there at once; a draft of it gets the same change. */
  async change(rule: Rule, change: Partial<Pick<RuleText, 'enabled' | 'triggersEvents'>>): Promise<void> {
    const { id, savedAt } = rule;
    const saved = await this.#client.rules.save({ ...textOf(rule), ...change, id, baseSavedAt: savedAt });
    const draft = this.store.get().drafts.get(keyOf(rule.id));
    this.#put(saved);
    if (draft) {
      const base = draft.base === rule.savedAt ? saved.savedAt : draft.base;
      this.#keep({ ...draft, base, form: { ...draft.form, ...change } });
    }
  }

  async delete(rule: Rule, rows: 'keep' | 'drop'): Promise<void> {
    await this.#client.rules.delete({ id: rule.id, rows });
    const { rules, selected } = this.store.get();
    const key = keyOf(rule.id);
    this.discard(key);
    this.#patch({ rules: rules.filter(({ id }) => id !== rule.id), selected: selected === key ? null : selected });
  }

  /** Brings a deleted rule back, with its id and its table. */
  async restore({ id }: Rule): Promise<void> {
    const restored = await this.#client.rules.restore({ id });
    this.#put(restored);
    this.select(keyOf(restored.id));
  }

  async #save(rule: RuleText, { ruleId, base }: RuleDraft): Promise<Rule> {
    try {
      return await this.#client.rules.save({
        ...rule,
        ...(ruleId !== null && { id: ruleId, ...(base !== null && { baseSavedAt: base }) }),
      });
    } catch (error) {
      const { code } = problemOf(error);
      if (ruleId === null || base === null || (code !== 'CONFLICT' && code !== 'NOT_FOUND')) throw error;
      const stored = (await this.#client.rules.list()).find(({ id }) => id === ruleId);
      // The name is taken.
      if (stored?.savedAt === base) throw error;
      if (stored) this.#put(stored);
      else this.#patch({ rules: this.store.get().rules.filter(({ id }) => id !== ruleId) });
      throw new SavedMeanwhileError(
        stored
          ? 'Another window saved this rule first. Nothing was saved: keep yours, or take theirs.'
          : 'Another window deleted this rule. Nothing was saved: keep yours to make it anew.',
      );
    }
  }

  #draftOf(key: string, form: RuleForm): RuleDraft {
    const rule = this.rule(key);
    return { key, ruleId: rule?.id ?? null, base: rule?.savedAt ?? null, form };
  }

  async #recall(signal: AbortSignal): Promise<void> {
    if (this.#memory) return;
    try {
      const { workspace } = await this.#client.app.info(undefined, { signal });
      this.#memory = draftMemory(workspace, this.#storage);
      const { drafts } = this.store.get();
      const kept = this.#memory.read().map((draft) => [draft.key, draft] as const);
      this.#patch({ drafts: new Map([...kept, ...drafts]) });
      for (const draft of drafts.values()) this.#keep(draft);
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      this.#patch({ problem: problemOf(error) });
      // What is typed meanwhile is kept as soon as it is known where.
      setTimeout(() => void this.#recall(signal), RECALL_AGAIN_AFTER_MS);
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    try {
      const rules = await this.#client.rules.list(undefined, { signal });
      this.#patch({ rules, loaded: true, problem: null });
    } catch (error) {
      if (!isAbort(error) && !signal.aborted) this.#patch({ loaded: true, problem: problemOf(error) });
    }
  }

  #heard(changed: readonly RuleState[]): void {
    const states = new Map(this.store.get().states);
    for (const state of changed) states.set(state.id, state);
    this.#patch({ states });
  }

  #put(rule: Rule): void {
    const others = this.store.get().rules.filter(({ id }) => id !== rule.id);
    const rules = [...others, rule].toSorted((a, b) => a.name.localeCompare(b.name));
    this.#patch({ rules });
  }

  #keep(draft: RuleDraft): void {
    const drafts = new Map(this.store.get().drafts).set(draft.key, draft);
    this.#patch({ drafts, keeps: this.#memory?.write(draft) ?? true });
  }

  #patch(change: Partial<RulesState>): void {
    this.store.update((state) => ({ ...state, ...change }));
  }
}
