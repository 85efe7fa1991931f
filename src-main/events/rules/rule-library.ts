import { isDeepStrictEqual } from 'node:util';
import { abbreviate } from '#domain/text/abbreviate';
import { nameKey } from '#domain/text/name-key';
import type { Rule, RuleText, StoredOutput } from '#domain/rule/rule';
import type { TagType } from '#domain/tag/tag';
import { callerNow } from '../../platform/caller.ts';
import type { Clock } from '../../platform/clock.ts';
import { TagwrightError } from '../../platform/errors.ts';
import { Listeners } from '../../platform/events.ts';
import type { Cause } from '#domain/run/journal';
import type { CommitQueue } from '../../storage/commit-queue.ts';
import type { Journal } from '../../storage/journal/journal.ts';
import type { ResultColumn, ResultTables } from '../../storage/events/result-tables.ts';
import type { RuleRepository, RuleRow } from '../../storage/repositories/rule-repository.ts';
import type { WindowRepository } from '../../storage/repositories/window-repository.ts';
import type { DefinitionOf, WindowShape } from './check-rule.ts';
import { checkRule, hasSameWindows } from './check-rule.ts';
import { tableNameOf, withColumns } from './rule-columns.ts';

/** The parts of the open workspace that rules use. */
export interface RuleStorage {
  readonly rules: RuleRepository;
  readonly windows: WindowRepository;
  readonly results: ResultTables;
  readonly commits: CommitQueue;
  readonly journal: Pick<Journal, 'fired' | 'ruleChanged'>;
  readonly clock: Clock;
}

/** A rule that was saved or deleted. */
interface RuleChange {
  id: number;
  /** null: it was deleted. */
  rule: Rule | null;
  /** Whether its open window continues. */
  keepsWindow: boolean;
}

/** A rule by its id, or by its name regardless of case. */
export type RuleKey = { id: number } | { name: string };

/** A rule to save: replaces the rule with this `id`, and only if it is unchanged since `baseSavedAt`. */
export type RuleSave = RuleText & {
  id?: number | undefined;
  baseSavedAt?: string | undefined;
  /** Whether its tags need not exist. */
  keepMissing?: boolean | undefined;
};

/** The rules of the workspace, and their result tables. All are in memory. */
export class RuleLibrary {
  readonly #store: RuleStorage;
  readonly #definitionOf: DefinitionOf;
  readonly #rules = new Map<number, Rule>();
  readonly #changes = new Listeners<RuleChange>();

  constructor(store: RuleStorage, definitionOf: DefinitionOf) {
    this.#store = store;
    this.#definitionOf = definitionOf;
    for (const row of store.rules.all()) this.#rules.set(row.id, ruleOf(row));
  }

  /** Ordered by name. */
  list(): Rule[] {
    return [...this.#rules.values()].toSorted((a, b) => (nameKey(a.name) < nameKey(b.name) ? -1 : 1));
  }

  /** Throws NOT_FOUND, which lists the existing rules. */
  get(key: RuleKey): Rule {
    const found = 'id' in key ? this.#rules.get(key.id) : this.#named(key.name);
    if (found) return found;
    throw this.#missing(key);
  }

  /** Called after every save and delete; the returned function removes the listener. */
  onChange(listener: (change: RuleChange) => void): () => void {
    return this.#changes.add(listener);
  }

  /**
   * Saves a new rule, or with `id` an existing one. Adds missing columns to its table; unused columns stay, with their
   * rows. Throws BAD_REQUEST with `data.issues`, NOT_FOUND, or CONFLICT if another rule has the name, or if the rule
   * was saved since `baseSavedAt` (`data.current` is when).
   */
  async save({ id, baseSavedAt, keepMissing, ...text }: RuleSave): Promise<Rule> {
    checkRule(text, this.#definitionOf, keepMissing);
    const caller = callerNow();
    // Inside the job: the memory does not reflect earlier jobs of the same transaction.
    const { before, rule } = await this.#store.commits.runInSteps(() =>
      this.#saving({ id, baseSavedAt, caller }, text),
    );
    this.#announce({ id: rule.id, rule, keepsWindow: before !== null && keepsWindow(before, rule) });
    return rule;
  }

  /** Deletes a rule; its rows stay, or are dropped later. `restore` restores it. Throws NOT_FOUND. */
  async delete(key: RuleKey, rows: 'keep' | 'drop'): Promise<Rule> {
    const rule = this.get(key);
    const caller = callerNow();
    await this.#store.commits.runInSteps(() => this.#deleting(rule.id, rows, caller));
    this.#announce({ id: rule.id, rule: null, keepsWindow: false });
    return rule;
  }

  /**
   * Restores a deleted rule with its id and its table, and with its remaining rows and events. One that is not deleted
   * is returned unchanged. Throws NOT_FOUND, or CONFLICT if another rule has taken its name.
   */
  async restore(id: number): Promise<Rule> {
    const { rules, results, commits, clock, journal } = this.#store;
    const caller = callerNow();
    const { rule, changed } = await commits.run(() => {
      const row = rules.deleted(id);
      if (!row) return { rule: this.#stored(id), changed: false };
      this.#freeName(row.name, id);
      const restored = { ...ruleOf(row), savedAt: laterThan(row.savedAt, clock) };
      rules.restore(id, restored.savedAt);
      results.ensure(restored.resultTable, columnsOf(restored));
      journal.ruleChanged(restored, 'restored', caller);
      return { rule: restored, changed: true };
    });
    if (changed) this.#announce({ id, rule, keepsWindow: false });
    return rule;
  }

  /**
   * Saves the rules that `change` changes, without checking them, inside a job of the commit queue; their open windows
   * continue. Returns these rules; listeners are notified after the commit.
   */
  rewrite(change: (rule: Rule) => Rule): Rule[] {
    const { rules, windows, clock, commits } = this.#store;
    const changed = rules.all().flatMap((row): Rule[] => {
      const rule = ruleOf(row);
      const rewritten = change(rule);
      if (isDeepStrictEqual(rewritten, rule)) return [];
      const saved = { ...rewritten, savedAt: laterThan(rule.savedAt, clock) };
      rules.update({ ...rowOf(saved), id: rule.id });
      // Windows refer to tags by index.
      if (saved.tags.length !== rule.tags.length) windows.forget(rule.id);
      return [saved];
    });
    commits.afterCommit(() => {
      // Restarted from its stored window: it samples another tag now.
      for (const rule of changed) this.#announce({ id: rule.id, rule, keepsWindow: false });
    });
    return changed;
  }

  *#saving(
    { id, baseSavedAt, caller }: Pick<RuleSave, 'id' | 'baseSavedAt'> & { caller: Cause },
    text: RuleText,
  ): Generator<void, { before: Rule | null; rule: Rule }> {
    const before = id === undefined ? null : this.#stored(id);
    if (before && baseSavedAt !== undefined && baseSavedAt !== before.savedAt) throw savedElsewhere(before);
    this.#freeName(text.name, id);
    // Samples are only valid for windows with the same definition.
    if (before && !keepsWindow(before, text)) yield* this.#store.windows.forgetInSteps(before.id);
    const rule = this.#write(text, before);
    this.#store.journal.ruleChanged(rule, before ? 'changed' : 'created', caller);
    return { before, rule };
  }

  *#deleting(id: number, rows: 'keep' | 'drop', caller: Cause): Generator<void> {
    const { rules, windows, clock, journal } = this.#store;
    journal.ruleChanged(this.#stored(id), 'deleted', caller);
    yield* windows.forgetInSteps(id);
    rules.delete(id, clock.iso(), rows === 'drop');
  }

  /** Inside a job: writes a rule over an existing one, or a new one. */
  #write(text: RuleText, before: Rule | null): Rule {
    const { rules, results, clock } = this.#store;
    const present = before ? results.columns(before.resultTable) : [];
    const outputs = withColumns(text.outputs, present, (path) => this.#typeOf(path));
    const saved = { ...text, outputs, savedAt: before ? laterThan(before.savedAt, clock) : clock.iso() };
    const row = rowOf(saved);
    const id = before?.id ?? rules.insert(row);
    const resultTable = before?.resultTable ?? tableNameOf(id, text.name);
    if (before) rules.update({ ...row, id });
    else rules.nameTable(id, resultTable);
    const after: Rule = { id, ...saved, resultTable };
    results.ensure(resultTable, columnsOf(after));
    return after;
  }

  /** The type of a tag; of a missing one, the type whose column takes any value. */
  #typeOf(path: string): TagType {
    try {
      return this.#definitionOf(path).type;
    } catch {
      return 'String';
    }
  }

  /** Inside a job: a rule as stored. */
  #stored(id: number): Rule {
    const row = this.#store.rules.get(id);
    if (row) return ruleOf(row);
    throw this.#missing({ id });
  }

  #freeName(name: string, id: number | undefined): void {
    const other = this.#store.rules.named(nameKey(name));
    if (!other || other.id === id) return;
    throw new TagwrightError('CONFLICT', `Another rule (${other.id}) is named "${other.name}". Choose another name.`);
  }

  /** Updates the memory, and notifies listeners. */
  #announce(change: RuleChange): void {
    if (change.rule) this.#rules.set(change.id, change.rule);
    else this.#rules.delete(change.id);
    this.#changes.emit(change);
  }

  #missing(key: RuleKey): TagwrightError {
    const wanted = 'id' in key ? `id ${key.id}` : `the name "${abbreviate(key.name, 100)}"`;
    const names = this.list().map(({ id, name }) => `"${name}" (${id})`);
    const there = names.length === 0 ? 'There are none.' : `The rules are ${abbreviate(names.join(', '), 300)}.`;
    return new TagwrightError('NOT_FOUND', `No rule has ${wanted}. ${there}`);
  }

  #named(name: string): Rule | undefined {
    const key = nameKey(name);
    return [...this.#rules.values()].find((rule) => nameKey(rule.name) === key);
  }
}

/** Each save of a rule has its own time, even within one ms and after the clock was set back. */
function laterThan(before: string, clock: Clock): string {
  return new Date(Math.max(clock.now(), Date.parse(before) + 1)).toISOString();
}

function savedElsewhere({ name, savedAt }: Rule): TagwrightError {
  return new TagwrightError(
    'CONFLICT',
    `The rule "${name}" was saved in the meantime; nothing was saved. Reload it, and save your change again.`,
    { data: { current: savedAt } },
  );
}

const columnsOf = ({ outputs }: Pick<Rule, 'outputs'>): ResultColumn[] =>
  outputs.map(({ column, columnType }) => ({ name: column, type: columnType }));

const keepsWindow = (before: WindowShape, after: WindowShape & { enabled: boolean }): boolean =>
  after.enabled && hasSameWindows(before, after);

/** The parts of a rule that are stored as one text. */
type Definition = Pick<RuleText, 'description' | 'tags' | 'sampling' | 'window' | 'condition'> & {
  outputs: StoredOutput[];
};

/** A rule as stored, without the fields that the database assigns. */
function rowOf(rule: Omit<Rule, 'id' | 'resultTable'>): Omit<RuleRow, 'id' | 'resultTable'> {
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

function ruleOf({ id, name, enabled, triggersEvents, definition, resultTable, savedAt }: RuleRow): Rule {
  const stored: Definition = JSON.parse(definition);
  return { id, name, enabled: enabled === 1, triggersEvents: triggersEvents === 1, ...stored, resultTable, savedAt };
}
