import type { Json } from '#domain/text/json';
import type { RulePreview } from '#domain/rule/rule-preview';
import { unitOfOutput } from '#domain/rule/rule-preview';
import type { PastValues } from '#domain/tag/past-values';
import type { TagDefinition } from '#domain/tag/tag';
import type { Rule, RuleOutput, RuleState, RuleText } from '#domain/rule/rule';
import type { Done } from '../../platform/done.ts';
import { done } from '../../platform/done.ts';
import { Listeners } from '../../platform/events.ts';
import { pause } from '../../platform/pause.ts';
import type { ResultColumn } from '../../storage/events/result-tables.ts';
import { checkRule } from './check-rule.ts';
import type { FiredByHand } from './firing/by-hand.ts';
import type { RuleEngineParts } from './engine.ts';
import { Engine } from './engine.ts';
import { previewOf } from './preview/preview.ts';
import type { RetentionParts } from './retention.ts';
import { Retention } from './retention.ts';
import { withColumns } from './rule-columns.ts';
import type { RuleKey, RuleStorage, RuleSave } from './rule-library.ts';
import { RuleLibrary } from './rule-library.ts';
import type { TagSource } from './sampling/sampler.ts';

export interface RuleServiceParts extends Pick<RuleEngineParts, 'events' | 'conditions' | 'log'> {
  store: RuleStorage;
  settings: RetentionParts['settings'];
  tags: TagSource & {
    pastOf(path: string): PastValues | null;
    readonly definitions: { definition(input: { path: string }): TagDefinition };
  };
}

/** A page of data rows, newest first. */
export interface RowPage {
  table: string;
  /** `output` is the output that writes the column now, with its unit; null for others. */
  columns: (ResultColumn & { output: string | null; unit: string })[];
  rows: Json[][];
  total: number;
}

const STATE_MS = 500;

/**
 * The aggregation rules of a workspace. Methods are named after the procedures of the contract; errors are
 * TagwrightErrors.
 */
export class RuleService {
  readonly #parts: RuleServiceParts;
  readonly #library: RuleLibrary;
  readonly #engine: Engine;
  readonly #retention: Retention;
  readonly #definitionOf: (path: string) => TagDefinition;
  readonly #changes = new Listeners<{ ruleId: number }>();

  constructor(parts: RuleServiceParts) {
    this.#parts = parts;
    this.#definitionOf = (path) => parts.tags.definitions.definition({ path });
    this.#library = new RuleLibrary(parts.store, this.#definitionOf);
    this.#engine = new Engine({ ...parts, library: this.#library });
    this.#retention = new Retention({ ...parts, rules: () => this.#library.list() });
    this.#library.onChange(({ id }) => this.#changes.emit({ ruleId: id }));
  }

  /** Starts the active rules; a process for a single command does not. */
  start(): void {
    this.#engine.start();
    this.#retention.start();
  }

  async close(): Promise<void> {
    await this.#retention.close();
    await this.#engine.close();
    this.#changes.clear();
  }

  list(): Rule[] {
    return this.#library.list();
  }

  get(key: RuleKey): Rule {
    return this.#library.get(key);
  }

  /** A disabled rule no longer fires once this resolves. */
  async save(rule: RuleSave): Promise<Rule> {
    const saved = await this.#library.save(rule);
    await this.#engine.settled();
    return saved;
  }

  /** See the library. */
  restore({ id }: { id: number }): Promise<Rule> {
    return this.#library.restore(id);
  }

  /** It no longer fires once this resolves. `drop` deletes its data rows and their events, in small steps. */
  async delete({ rows, ...key }: RuleKey & { rows: 'keep' | 'drop' }): Promise<Done> {
    await this.#library.delete(key, rows);
    await this.#engine.settled();
    if (rows === 'drop') this.#retention.soon();
    return done;
  }

  /** See the library; for renaming tags. */
  rewrite(change: (rule: Rule) => Rule): Rule[] {
    return this.#library.rewrite(change);
  }

  fire({ times = 1, ...key }: RuleKey & { times?: number | undefined }): Promise<FiredByHand> {
    return this.#engine.fireByHand(this.#library.get(key), times);
  }

  /** All samples up to now are stored, as far as the disk allows. */
  storeSamples(): Promise<void> {
    return this.#engine.storeSamples();
  }

  /** Called after every save and delete; the returned function removes the listener. */
  onChange(listener: (change: { ruleId: number }) => void): () => void {
    return this.#changes.add(listener);
  }

  /** All rules at once, then the changed ones, twice a second, until the signal aborts. */
  async *state(signal: AbortSignal): AsyncGenerator<RuleState[]> {
    const sent = new Map<number, string>();
    let first = true;
    while (!signal.aborted) {
      const states = this.#library.list().map((rule) => this.#engine.stateOf(rule));
      const changed = states.filter((state) => {
        const text = JSON.stringify(state);
        if (sent.get(state.id) === text) return false;
        sent.set(state.id, text);
        return true;
      });
      if (first || changed.length > 0) yield changed;
      first = false;
      await pause(STATE_MS, signal);
    }
  }

  /** The data rows of a rule, including columns without an output. */
  rows({
    before,
    limit = 100,
    ...key
  }: RuleKey & { before?: number | undefined; limit?: number | undefined }): RowPage {
    const rule = this.#library.get(key);
    const { results } = this.#parts.store;
    const outputs = new Map(rule.outputs.map((output) => [output.column, output]));
    return {
      table: rule.resultTable,
      columns: results.columns(rule.resultTable).map(({ name, type }) => {
        const output = outputs.get(name);
        return { name, type, output: output?.name ?? null, unit: output ? this.#unitOf(output) : '' };
      }),
      rows: results.page(rule.resultTable, { before: before ?? Number.MAX_SAFE_INTEGER, limit }),
      total: results.count(rule.resultTable),
    };
  }

  /**
   * What a rule, saved or not, would have done in the past. Throws BAD_REQUEST with `data.issues`; rejects when the
   * signal aborts.
   */
  preview({ id, ...rule }: RuleText & { id?: number | undefined }, signal?: AbortSignal): Promise<RulePreview> {
    checkRule(rule, this.#definitionOf);
    const { store, conditions, tags } = this.#parts;
    const outputs = withColumns(rule.outputs, [], (path) => this.#definitionOf(path).type);
    const rules = this.#library.list().toSorted((a, b) => Number(b.id === id) - Number(a.id === id));
    const now = store.clock.now();
    const past = (path: string) => tags.pastOf(path);
    const parts = { store: store.windows, conditions, rules, past, definitionOf: this.#definitionOf, now };
    return previewOf({ ...rule, outputs }, parts, signal);
  }

  /** '' if its tag no longer exists. */
  #unitOf(output: RuleOutput): string {
    try {
      return unitOfOutput(output, this.#definitionOf(output.tag).unit);
    } catch {
      return unitOfOutput(output, '');
    }
  }
}
