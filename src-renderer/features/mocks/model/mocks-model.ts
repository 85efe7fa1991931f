import type { ApiMode } from '#domain/api-call';
import type { Mock, MockRoute } from '#domain/mock';
import type { Client } from '../../../client/client.ts';
import { isAbort, problemOf } from '../../../client/errors.ts';
import { follow } from '../../../client/follow.ts';
import { DraftMemory } from '../../../ui/draft-memory.ts';
import type { DraftStorage } from '../../../ui/draft-memory.ts';
import { Store } from '../../../ui/store.ts';
import { formOf, newForm, readForm, routeOf, saysTheSame } from './mock-form.ts';
import type { MockForm } from './mock-form.ts';
import type { MockDraft, MocksState } from './mocks-state.ts';
import { baseOf, keyOf, NOTHING, SavedMeanwhileError } from './mocks-state.ts';
import { oneAfterTheOther } from './one-after-the-other.ts';
import { moved } from './order.ts';

const RECALL_AGAIN_AFTER_MS = 1_000;

/** The mocks, and what is typed of them and not saved. */
export class MocksModel {
  readonly store = new Store<MocksState>(NOTHING);
  readonly #client: Pick<Client, 'app' | 'mocks' | 'settings'>;
  readonly #storage: DraftStorage | undefined;
  #memory: DraftMemory<MockDraft> | null = null;
  #drafted = 0;
  /** Mocks that this window made itself. */
  readonly #own = new Set<number>();

  constructor(client: Pick<Client, 'app' | 'mocks' | 'settings'>, storage?: DraftStorage) {
    this.#client = client;
    this.#storage = storage;
  }

  /** Lists and follows the mocks until the signal aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    const again = oneAfterTheOther(() => this.list(signal));
    void follow(
      (end) => this.#client.mocks.changes(undefined, { signal: end }),
      () => void again(),
      signal,
    );
    await this.#recall(signal);
    await again();
  }

  mock(key: string | null): Mock | undefined {
    return this.store.get().mocks.find(({ id }) => keyOf(id) === key);
  }

  select(key: string | null): void {
    this.#patch({ selected: key });
  }

  /** Begins a new mock and selects it. */
  create(form: MockForm = newForm()): string {
    this.#drafted += 1;
    const draft = { key: `new:${Date.now()}.${this.#drafted}`, mockId: null, base: null, form };
    this.#keep(draft);
    this.select(draft.key);
    return draft.key;
  }

  /** Begins a new mock with what another one says, saved or not. */
  duplicate(key: string): void {
    const form = this.form(key);
    if (form) this.create({ ...form, name: `${form.name || 'Mock'} (copy)`.slice(0, 200) });
  }

  /** What is typed of it, else what is saved. */
  form(key: string): MockForm | null {
    const draft = this.store.get().drafts.get(key);
    if (draft) return draft.form;
    const mock = this.mock(key);
    return mock ? formOf(mock) : null;
  }

  /** Keeps what is typed; a form that says what is saved is no draft. */
  edit(key: string, form: MockForm): void {
    const before = this.store.get().drafts.get(key);
    const mock = this.mock(key);
    const base = before ? before.base : baseOf(mock);
    if (mock && base === baseOf(mock) && saysTheSame(form, mock)) this.discard(key);
    else this.#keep({ key, mockId: before ? before.mockId : (mock?.id ?? null), base, form });
  }

  /** Forgets a draft; returns it, so that it can be brought back. */
  discard(key: string): MockDraft | null {
    const { drafts, selected } = this.store.get();
    const draft = drafts.get(key) ?? null;
    const next = new Map(drafts);
    next.delete(key);
    this.#memory?.forget(key);
    const there = this.mock(key) !== undefined;
    this.#patch({ drafts: next, selected: key === selected && !there ? null : selected });
    return draft;
  }

  bringBack(draft: MockDraft): void {
    this.#keep(draft);
    this.select(draft.key);
  }

  /** Says that the draft knows what another window saved, and is to take its place. */
  keepMine(key: string): void {
    const draft = this.store.get().drafts.get(key);
    const mock = this.mock(key);
    if (draft) this.#keep({ ...draft, mockId: mock?.id ?? null, base: baseOf(mock) });
  }

  /** Saves what is typed. Throws SavedMeanwhileError, and what mocks.save throws. */
  async save(key: string): Promise<Mock> {
    const draft = this.store.get().drafts.get(key);
    const form = this.form(key);
    if (!form) throw new Error('There is nothing to save.');
    if (draft && draft.mockId !== null && draft.base !== null) await this.#refuseOlder(draft.mockId, draft.base);
    const id = draft ? draft.mockId : (this.mock(key)?.id ?? null);
    const saved = await this.#put(readForm(form).route, id);
    const now = this.store.get().drafts.get(key);
    this.discard(key);
    // Typed while it was being saved.
    if (now && now.form !== form) {
      this.#keep({ key: keyOf(saved.id), mockId: saved.id, base: baseOf(saved), form: now.form });
    }
    const { selected } = this.store.get();
    if (selected === key || selected === null) this.select(keyOf(saved.id));
    return saved;
  }

  /** Changes a mock that is there at once; a draft of it gets the same change. */
  async change(mock: Mock, change: { enabled?: boolean; priority?: number }): Promise<void> {
    const saved = await this.#put({ ...routeOf(mock), ...change }, mock.id);
    const draft = this.store.get().drafts.get(keyOf(mock.id));
    if (!draft) return;
    const base = draft.base === baseOf(mock) ? baseOf(saved) : draft.base;
    const { enabled = draft.form.enabled, priority } = change;
    const form = { ...draft.form, enabled, ...(priority !== undefined && { priority: String(priority) }) };
    this.#keep({ ...draft, base, form });
  }

  /** Has a mock asked before (-1) or after (1) its neighbour. */
  async move(mock: Mock, by: -1 | 1): Promise<void> {
    const { mocks } = this.store.get();
    for (const { id, priority } of moved(mocks, mock.id, by)) {
      const other = mocks.find((one) => one.id === id);
      // oxlint-disable-next-line no-await-in-loop -- in order, so that a loss leaves no other order than one between
      if (other) await this.change(other, { priority });
    }
  }

  /** Returns what was typed of them and not saved, so that it can be brought back with them. */
  async delete(mocks: readonly Mock[]): Promise<MockDraft[]> {
    await this.#client.mocks.delete({ ids: mocks.map(({ id }) => id) });
    const drafts = mocks.map(({ id }) => this.discard(keyOf(id))).filter((draft) => draft !== null);
    await this.list();
    return drafts;
  }

  /** Puts mocks back as they were, and takes others away: undoes. */
  async restore(mocks: readonly Mock[], remove: readonly number[] = []): Promise<void> {
    for (const { id } of mocks) this.#own.add(id);
    await this.#client.mocks.restore({ mocks: [...mocks], remove: [...remove] });
    await this.list();
    const [first] = mocks;
    if (first) this.select(keyOf(first.id));
  }

  async import(
    given: Parameters<Client['mocks']['import']>[0],
  ): Promise<Awaited<ReturnType<Client['mocks']['import']>>> {
    const done = await this.#client.mocks.import(given);
    for (const id of done.ids) this.#own.add(id);
    await this.list();
    const [first] = done.ids;
    if (first !== undefined) this.select(keyOf(first));
    return done;
  }

  async setTraffic(change: { mode?: ApiMode; record?: boolean }): Promise<void> {
    const { mode, record } = change;
    await this.#client.settings.update({
      ...(mode !== undefined && { 'api.mode': mode }),
      ...(record !== undefined && { 'api.record': record }),
    });
    await this.list();
  }

  async list(signal?: AbortSignal): Promise<void> {
    try {
      const listed = await this.#client.mocks.list(undefined, signal ? { signal } : {});
      const { mocks: before, loaded, record, recorded } = this.store.get();
      const known = new Set(before.map(({ id }) => id));
      const begins = listed.record && !record;
      const added = listed.mocks.filter(({ id }) => loaded && record && !known.has(id) && !this.#own.has(id));
      const next = begins ? new Set<number>() : new Set([...recorded, ...added.map(({ id }) => id)]);
      this.#patch({ ...listed, recorded: next, loaded: true, problem: null });
    } catch (error) {
      if (!isAbort(error) && !signal?.aborted) this.#patch({ loaded: true, problem: problemOf(error) });
    }
  }

  async #put(route: MockRoute, id: number | null): Promise<Mock> {
    const saved = await this.#client.mocks.save({ ...route, ...(id !== null && { id }) });
    this.#own.add(saved.id);
    const others = this.store.get().mocks.filter((mock) => mock.id !== saved.id);
    this.#patch({ mocks: [...others, saved].toSorted((a, b) => b.priority - a.priority || a.id - b.id) });
    return saved;
  }

  async #refuseOlder(id: number, base: string): Promise<void> {
    // What cannot be read is not taken for unchanged: then nothing is saved.
    const { mocks } = await this.#client.mocks.list();
    this.#patch({ mocks });
    const stored = mocks.find((mock) => mock.id === id);
    if (baseOf(stored) === base) return;
    throw new SavedMeanwhileError(
      stored
        ? 'Another window saved this mock first. Nothing was saved: keep yours, or take theirs.'
        : 'Another window deleted this mock. Nothing was saved: keep yours to make it anew.',
    );
  }

  async #recall(signal: AbortSignal): Promise<void> {
    if (this.#memory) return;
    try {
      const { workspace } = await this.#client.app.info(undefined, { signal });
      this.#memory = new DraftMemory({
        prefix: `tagwright.mocks.draft.${workspace}.`,
        isDraft: ({ form }) => typeof form.url === 'string' && Array.isArray(form.headers),
        storage: this.#storage,
      });
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

  #keep(draft: MockDraft): void {
    const drafts = new Map(this.store.get().drafts).set(draft.key, draft);
    this.#patch({ drafts, keeps: this.#memory?.write(draft) ?? true });
  }

  #patch(change: Partial<MocksState>): void {
    this.store.update((state) => ({ ...state, ...change }));
  }
}
