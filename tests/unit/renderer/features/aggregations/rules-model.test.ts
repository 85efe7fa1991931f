import { beforeEach, describe, expect, test } from 'vitest';
import { ORPCError } from '@orpc/client';
import type { Rule, RuleText } from '#domain/rule/rule';
import type { Client } from '../../../../../src-renderer/client/client.ts';
import type { DraftStorage } from '../../../../../src-renderer/drafted/draft-memory.ts';
import { listRows } from '../../../../../src-renderer/features/aggregations/model/list-rows.ts';
import { formOf, newForm } from '../../../../../src-renderer/features/aggregations/model/rule-form.ts';
import { RulesModel } from '../../../../../src-renderer/features/aggregations/model/rules-model.ts';
import { SavedElsewhereError } from '../../../../../src-renderer/drafted/drafted-list.ts';

const TEXT: RuleText = {
  name: 'Check',
  description: 'of the filler',
  enabled: true,
  triggersEvents: false,
  tags: ['A.B'],
  sampling: { kind: 'onChange' },
  window: { kind: 'manual' },
  outputs: [{ name: 'a', reducer: 'avg', tag: 'A.B' }],
  condition: '',
};

/** A library of rules that stores everything it gets. */
class FakeRules {
  rules: Rule[] = [];
  /** Main rejects this many reads before it responds. */
  refusals = 0;
  #saves = 0;
  #deleted: Rule | undefined;

  save({ baseSavedAt, ...text }: RuleText & { id?: number; baseSavedAt?: string }): Rule {
    const stored = this.rules.find(({ id }) => id === text.id);
    if (text.id !== undefined && baseSavedAt !== undefined) {
      if (!stored) throw new ORPCError('NOT_FOUND', { message: 'No rule has that id.' });
      if (stored.savedAt !== baseSavedAt) throw new ORPCError('CONFLICT', { message: 'It was saved in the meantime.' });
    }
    this.#saves += 1;
    const outputs = text.outputs.map((output) => ({ ...output, column: output.name, columnType: 'REAL' as const }));
    const id = text.id ?? this.#saves;
    const rule: Rule = { ...text, outputs, id, resultTable: `agg_${id}`, savedAt: `save ${this.#saves}` };
    this.rules = [...this.rules.filter((one) => one.id !== id), rule];
    return rule;
  }

  client(): Pick<Client, 'app' | 'rules'> {
    const never = async function* () {
      await new Promise(() => {});
      yield [];
    };
    const rules = {
      list: async () => this.rules,
      save: async (text: RuleText & { id?: number; baseSavedAt?: string }) => this.save(text),
      delete: async ({ id }: { id: number }) => {
        this.#deleted = this.rules.find((rule) => rule.id === id);
        this.rules = this.rules.filter((rule) => rule.id !== id);
      },
      restore: async () => {
        if (!this.#deleted) throw new Error('nothing was deleted');
        this.rules = [...this.rules, this.#deleted];
        return this.#deleted;
      },
      changes: async () => never(),
      state: async () => never(),
    };
    const info = async () => {
      this.refusals -= 1;
      if (this.refusals >= 0) throw new Error('the disk is full');
      return { workspace: '/plant' };
    };
    return { app: { info }, rules } as unknown as Pick<Client, 'app' | 'rules'>;
  }
}

/** The storage of a browser. */
function storageOf(full = false): DraftStorage {
  const kept = new Map<string, string>();
  return {
    get length() {
      return kept.size;
    },
    key: (place) => [...kept.keys()][place] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => {
      if (full) throw new Error('QuotaExceededError');
      kept.set(key, text);
    },
    removeItem: (key) => void kept.delete(key),
  };
}

describe('rules and their drafts', () => {
  const { signal } = new AbortController();
  let library: FakeRules;
  let storage: DraftStorage;
  const open = async () => {
    const model = new RulesModel(library.client(), storage);
    await model.follow(signal);
    return model;
  };
  beforeEach(() => {
    library = new FakeRules();
    storage = storageOf();
  });

  test('text survives the page, even of new rules, until it is saved or equals the save', async () => {
    const rule = library.save(TEXT);
    const model = await open();
    const key = `rule:${rule.id}`;
    model.edit(key, { ...formOf(rule), condition: 'a > 1' });
    const fresh = model.create({ ...newForm(), name: 'Fresh "rule" 🧪' });
    const later = await open();
    expect([...later.store.get().drafts.keys()].toSorted()).toEqual([fresh, key].toSorted());
    expect(later.form(key)?.condition).toBe('a > 1');
    expect(listRows(later.store.get(), 'fresh').map(({ name }) => name)).toEqual(['Fresh "rule" 🧪']);
    later.edit(key, formOf(rule));
    await later.save(fresh);
    expect(library.rules.map(({ name }) => name)).toEqual(['Check', 'Fresh "rule" 🧪']);
    expect((await open()).store.get().drafts.size).toBe(0);
  });

  test('a draft is not shown in another workspace, and a full storage is reported', async () => {
    const model = await open();
    model.create();
    storage = storageOf(true);
    const full = await open();
    expect(full.store.get().drafts.size).toBe(0);
    full.create();
    expect(full.store.get()).toMatchObject({ keeps: false });
    expect(full.store.get().drafts.size).toBe(1);
  });

  test('text typed before the storage of drafts is known is saved as soon as it is', async () => {
    library.refusals = 1;
    const model = await open();
    const fresh = model.create({ ...newForm(), name: 'Early' });
    expect(storage.length).toBe(0);
    await expect.poll(() => storage.length).toBe(1);
    expect((await open()).form(fresh)?.name).toBe('Early');
  });

  test('the save of another window is overwritten only on request', async () => {
    const rule = library.save(TEXT);
    const model = await open();
    const key = `rule:${rule.id}`;
    model.edit(key, { ...formOf(rule), description: 'mine' });
    library.save({ ...TEXT, id: rule.id, description: 'theirs' });
    await expect(model.save(key)).rejects.toThrow(SavedElsewhereError);
    expect(library.rules[0]?.description).toBe('theirs');
    expect(model.form(key)?.description).toBe('mine');
    model.keepMine(key);
    await model.save(key);
    expect(library.rules[0]?.description).toBe('mine');
  });

  test('a rule that another window deleted is recreated only on request', async () => {
    const rule = library.save(TEXT);
    const model = await open();
    const key = `rule:${rule.id}`;
    model.edit(key, { ...formOf(rule), description: 'mine' });
    library.rules = [];
    await expect(model.save(key)).rejects.toThrow('Another window deleted this rule');
    model.keepMine(key);
    const saved = await model.save(key);
    expect(library.rules).toEqual([saved]);
  });

  test('a switch in the list does not overwrite the save of another window', async () => {
    const rule = library.save(TEXT);
    const model = await open();
    library.save({ ...TEXT, id: rule.id, description: 'theirs' });
    await expect(model.change(rule, { enabled: false })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(library.rules[0]).toMatchObject({ enabled: true, description: 'theirs' });
  });

  test('a switch in the list is saved at once and keeps typed text', async () => {
    const rule = library.save(TEXT);
    const model = await open();
    const key = `rule:${rule.id}`;
    model.edit(key, { ...formOf(rule), description: 'typed' });
    await model.change(rule, { enabled: false });
    expect(library.rules[0]).toMatchObject({ enabled: false, description: 'of the filler' });
    expect(model.form(key)).toMatchObject({ enabled: false, description: 'typed' });
    await model.save(key);
    expect(library.rules[0]).toMatchObject({ enabled: false, description: 'typed' });
  });

  test('a deleted rule is restored with its id, a draft restored, a rule duplicated', async () => {
    const rule = library.save(TEXT);
    const model = await open();
    await model.delete(rule, 'keep');
    expect(model.store.get()).toMatchObject({ rules: [], selected: null });
    await model.restore(rule);
    const [made] = library.rules;
    expect(made).toEqual(rule);
    model.duplicate(`rule:${made?.id}`);
    const key = model.store.get().selected ?? '';
    expect(model.form(key)).toEqual({ ...formOf(rule), name: 'Check copy' });
    const draft = model.discard(key);
    expect(model.form(key)).toBeNull();
    if (draft) model.restoreDraft(draft);
    expect(model.form(key)?.name).toBe('Check copy');
  });
});
