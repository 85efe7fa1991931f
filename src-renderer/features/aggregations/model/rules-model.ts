import { copyName } from '#domain/text/copy-name';
import { RULE_LIMITS, type Rule, type RuleState, type RuleText } from '#domain/rule/rule';
import type { Client } from '../../../client/client.ts';
import { problemOf } from '../../../client/errors.ts';
import { follow } from '../../../client/follow.ts';
import { stayCurrent } from '../../../client/stay-current.ts';
import type { DraftStorage } from '../../../drafted/draft-memory.ts';
import {
  type DraftedForm,
  DraftedList,
  type DraftedState,
  NOTHING_YET,
  SavedElsewhereError,
} from '../../../drafted/drafted-list.ts';
import { type RuleForm, equalsSaved, formOf, newForm, readForm } from './rule-form.ts';

/** The unsaved changes of a rule. */
export type RuleDraft = DraftedForm<RuleForm>;

export interface RulesState extends DraftedState<RuleForm> {
  rules: readonly Rule[];
  /** Their status, by id. */
  states: ReadonlyMap<number, RuleState>;
}

/** The rules, their status, and their unsaved changes. */
export class RulesModel extends DraftedList<Rule, RuleForm, RulesState> {
  readonly #client: Pick<Client, 'app' | 'rules'>;

  constructor(client: Pick<Client, 'app' | 'rules'>, storage?: DraftStorage) {
    super(
      { ...NOTHING_YET, rules: [], states: new Map() },
      {
        noun: 'rule',
        prefix: 'tagwright.aggregations.draft',
        storage,
        app: client.app,
        isForm: ({ tags, outputs }) => Array.isArray(tags) && Array.isArray(outputs),
        formOf,
        baseOf: ({ savedAt }) => savedAt,
        equalsSaved,
      },
    );
    this.#client = client;
  }

  /** Lists and follows the rules until the signal aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    const { rules } = this.#client;
    void follow(
      (end) => rules.state(undefined, { signal: end }),
      (changed) => this.#applyChanges(changed),
      signal,
    );
    await this.recall(signal);
    await stayCurrent(
      {
        changes: [(end) => rules.changes(undefined, { signal: end })],
        read: async (end) =>
          this.#patch({ rules: await rules.list(undefined, { signal: end }), loaded: true, problem: null }),
        failed: (problem) => this.#patch({ loaded: true, problem }),
      },
      signal,
    );
  }

  override create(form: RuleForm = newForm()): string {
    return super.create(form);
  }

  /** Starts a new rule as a copy of another one, saved or not. */
  duplicate(key: string): void {
    const form = this.form(key);
    const names = this.all().map(({ name }) => name);
    if (form) this.create({ ...form, name: copyName(form.name || 'Rule', names, RULE_LIMITS.name) });
  }

  /** Changes a saved rule immediately; its draft gets the same change. */
  async change(rule: Rule, change: Partial<Pick<RuleText, 'enabled' | 'triggersEvents'>>): Promise<void> {
    const { id, savedAt } = rule;
    const saved = await this.#client.rules.save({ ...textOf(rule), ...change, id, baseSavedAt: savedAt });
    this.#put(saved);
    this.changed(rule, saved, change);
  }

  async delete(rule: Rule, rows: 'keep' | 'drop'): Promise<void> {
    await this.#client.rules.delete({ id: rule.id, rows });
    const { rules, selected } = this.store.get();
    const key = this.keyOf(rule.id);
    this.discard(key);
    this.#patch({ rules: rules.filter(({ id }) => id !== rule.id), selected: selected === key ? null : selected });
  }

  /** Restores a deleted rule with its id and its table. */
  async restore({ id }: Rule): Promise<void> {
    const restored = await this.#client.rules.restore({ id });
    this.#put(restored);
    this.select(this.keyOf(restored.id));
  }

  protected override all(): readonly Rule[] {
    return this.store.get().rules;
  }

  protected override async put({ id, base, form }: RuleDraft): Promise<Rule> {
    const { rule } = readForm(form);
    try {
      const saved = await this.#client.rules.save({
        ...rule,
        ...(id !== null && { id, ...(base !== null && { baseSavedAt: base }) }),
      });
      this.#put(saved);
      return saved;
    } catch (error) {
      const { code } = problemOf(error);
      if (id === null || base === null || (code !== 'CONFLICT' && code !== 'NOT_FOUND')) throw error;
      const rules = await this.#client.rules.list();
      const stored = rules.find((one) => one.id === id);
      // The name is taken.
      if (stored?.savedAt === base) throw error;
      this.#patch({ rules });
      throw new SavedElsewhereError(this.noun, stored !== undefined);
    }
  }

  #applyChanges(changed: readonly RuleState[]): void {
    const states = new Map(this.store.get().states);
    for (const state of changed) states.set(state.id, state);
    this.#patch({ states });
  }

  #put(rule: Rule): void {
    const others = this.store.get().rules.filter(({ id }) => id !== rule.id);
    const rules = [...others, rule].toSorted((a, b) => a.name.localeCompare(b.name));
    this.#patch({ rules });
  }

  #patch(change: Partial<RulesState>): void {
    this.store.update((state) => ({ ...state, ...change }));
  }
}

/** A rule as it is saved: without the members that main adds. */
function textOf(rule: Rule): RuleText {
  const { name, description, enabled, triggersEvents, tags, sampling, window, condition } = rule;
  const outputs = rule.outputs.map(({ name: output, reducer, tag, state }) => ({
    name: output,
    reducer,
    tag,
    ...(state !== undefined && { state }),
  }));
  return { name, description, enabled, triggersEvents, tags, sampling, window, outputs, condition };
}
