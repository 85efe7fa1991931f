import type { ApiMode } from '#domain/mock/api-call';
import { copyName } from '#domain/text/copy-name';
import { MOCK_LIMITS, type Mock, type MockHits, type MockRoute, type MockUpdate, routeOf } from '#domain/mock/mock';
import type { Client } from '../../../client/client.ts';
import { problemOf } from '../../../client/errors.ts';
import { stayCurrent } from '../../../client/stay-current.ts';
import type { DraftStorage } from '../../../drafted/draft-memory.ts';
import { remember, remembered } from '../../../support/local-storage.ts';
import { DraftedList, SavedElsewhereError } from '../../../drafted/drafted-list.ts';
import { type MockForm, equalsSaved, formOf, newForm, readForm } from './mock-form.ts';
import { type MockDraft, type MocksState, NOTHING } from './mocks-state.ts';

/** Folders that a browser remembers as collapsed. */
const MAX_FOLDED = 500;

const baseOf = (mock: Mock): string => JSON.stringify(routeOf(mock));

/** Whether a save was rejected because another window saved or deleted the mock before. */
function isChangedElsewhere(error: unknown): boolean {
  const { code } = problemOf(error);
  return code === 'CONFLICT' || code === 'NOT_FOUND';
}

/** The mocks, and their unsaved changes. */
export class MocksModel extends DraftedList<Mock, MockForm, MocksState> {
  readonly #client: Pick<Client, 'app' | 'mocks' | 'settings'>;
  /** Mocks that this window created. */
  readonly #own = new Set<number>();
  /** Running list requests: changes in the meantime may be older or newer than their result. */
  #listing = 0;

  constructor(client: Pick<Client, 'app' | 'mocks' | 'settings'>, storage?: DraftStorage) {
    super(NOTHING, {
      noun: 'mock',
      prefix: 'tagwright.mocks.draft',
      storage,
      app: client.app,
      isForm: ({ url, headers }) => typeof url === 'string' && Array.isArray(headers),
      formOf,
      baseOf,
      equalsSaved,
    });
    this.#client = client;
  }

  /** Lists and follows the mocks until the signal aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    await this.recall(signal);
    if (this.workspace !== null) this.#patch({ folded: new Set(remembered<string[]>(this.#foldedKey(), [])) });
    await stayCurrent(
      {
        changes: [(end) => this.#client.mocks.changes(undefined, { signal: end })],
        read: (end) => this.#read(end),
        apply: ({ hits }) => {
          if (hits === null || this.#listing > 0) return false;
          this.#count(hits);
          return true;
        },
        failed: (problem) => this.#patch({ loaded: true, problem }),
      },
      signal,
    );
  }

  override create(form: MockForm = newForm()): string {
    return super.create(form);
  }

  /** Starts a new mock as a copy of another one, saved or not. */
  duplicate(key: string): void {
    const form = this.form(key);
    const names = this.all().map(({ name }) => name);
    if (form) this.create({ ...form, name: copyName(form.name || 'Mock', names, MOCK_LIMITS.name) });
  }

  /** Changes one property of a saved mock immediately; its draft gets the same change. */
  async change(mock: Mock, change: { enabled?: boolean; priority?: number }): Promise<void> {
    const base = routeOf(mock);
    try {
      const saved = await this.#put({ ...base, ...change }, mock.id, base);
      const { priority, ...rest } = change;
      this.changed(mock, saved, { ...rest, ...(priority !== undefined && { priority: String(priority) }) });
    } catch (error) {
      if (!isChangedElsewhere(error)) throw error;
      await this.list();
      const stored = this.saved(this.keyOf(mock.id));
      if (!stored) throw new Error('Another window deleted this mock.', { cause: error });
      // A draft that can't be parsed can't be updated.
      if (baseOf(stored) === baseOf(mock)) throw error;
      await this.change(stored, change);
    }
  }

  /** Collapses or expands folders; this browser remembers it for the workspace. */
  fold(folders: readonly string[], isFolded: boolean): void {
    const folded = new Set(this.store.get().folded);
    for (const folder of folders) {
      // The last one that was collapsed is the last one to be forgotten.
      folded.delete(folder);
      if (isFolded) folded.add(folder);
    }
    this.#patch({ folded });
    if (this.workspace !== null) remember(this.#foldedKey(), [...folded].slice(-MAX_FOLDED));
  }

  #foldedKey(): string {
    return `mocks.folded.${this.workspace}`;
  }

  /**
   * Enables, disables or moves saved mocks, all or none; their drafts get the same changes. Returns the changes that
   * undo it.
   */
  async update(changes: readonly MockUpdate[]): Promise<MockUpdate[]> {
    const before = new Map(this.all().map((mock) => [mock.id, mock]));
    await this.#client.mocks.update({ changes: [...changes] });
    await this.list();
    return changes.flatMap(({ id, enabled, folder }): MockUpdate[] => {
      const [was, is] = [before.get(id), this.saved(this.keyOf(id))];
      if (!was) return [];
      const form = { ...(enabled !== undefined && { enabled }), ...(folder !== undefined && { folder: folder ?? '' }) };
      if (is) this.changed(was, is, form);
      return [
        {
          id,
          ...(enabled !== undefined && { enabled: was.enabled }),
          ...(folder !== undefined && { folder: was.folder ?? null }),
        },
      ];
    });
  }

  /** Moves a mock before (-1) or after (1) its neighbor of the same folder in matching order. */
  async move(mock: Mock, by: -1 | 1): Promise<void> {
    const { mocks } = this.store.get();
    for (const { id, priority } of moved(mocks, mock.id, by)) {
      const other = mocks.find((one) => one.id === id);
      // oxlint-disable-next-line no-await-in-loop -- in order, so that a loss leaves no other order than one between
      if (other) await this.change(other, { priority });
    }
  }

  /** Returns their drafts, so that they can be restored together. */
  async delete(mocks: readonly Mock[]): Promise<MockDraft[]> {
    await this.#client.mocks.delete({ ids: mocks.map(({ id }) => id) });
    const drafts = mocks.map(({ id }) => this.discard(this.keyOf(id))).filter((draft) => draft !== null);
    await this.list();
    return drafts;
  }

  /** Undo: restores mocks, and deletes others. */
  async restore(mocks: readonly Mock[], remove: readonly number[] = []): Promise<void> {
    for (const { id } of mocks) this.#own.add(id);
    await this.#client.mocks.restore({ mocks: [...mocks], remove: [...remove] });
    await this.list();
    const [first] = mocks;
    if (first) this.select(this.keyOf(first.id));
  }

  async import(
    given: Parameters<Client['mocks']['import']>[0],
  ): Promise<Awaited<ReturnType<Client['mocks']['import']>>> {
    const done = await this.#client.mocks.import(given);
    for (const id of done.ids) this.#own.add(id);
    await this.list();
    const [first] = done.ids;
    if (first !== undefined) this.select(this.keyOf(first));
    return done;
  }

  async setTraffic(change: { mode?: ApiMode; record?: boolean; recordFolder?: string }): Promise<void> {
    const { mode, record, recordFolder } = change;
    await this.#client.settings.update({
      ...(mode !== undefined && { 'api.mode': mode }),
      ...(record !== undefined && { 'api.record': record }),
      ...(recordFolder !== undefined && { 'api.recordFolder': recordFolder }),
    });
    await this.list();
  }

  /** Only counters have changed: with many mocks, a list of all takes time. */
  #count(hits: readonly MockHits[]): void {
    const counted = new Map(hits.map((one) => [one.id, one]));
    const { mocks } = this.store.get();
    this.#patch({ mocks: mocks.map((mock) => (counted.has(mock.id) ? { ...mock, ...counted.get(mock.id) } : mock)) });
  }

  async list(): Promise<void> {
    try {
      await this.#read();
    } catch (error) {
      this.#patch({ loaded: true, problem: problemOf(error) });
    }
  }

  async #read(signal?: AbortSignal): Promise<void> {
    this.#listing += 1;
    try {
      const listed = await this.#client.mocks.list(undefined, signal ? { signal } : {});
      const { mocks: before, loaded, record, recorded } = this.store.get();
      const known = new Set(before.map(({ id }) => id));
      const begins = listed.record && !record;
      const added = listed.mocks.filter(({ id }) => loaded && record && !known.has(id) && !this.#own.has(id));
      const next = begins ? new Set<number>() : new Set([...recorded, ...added.map(({ id }) => id)]);
      this.#patch({ recordFolder: '', ...listed, recorded: next, loaded: true, problem: null });
    } finally {
      this.#listing -= 1;
    }
  }

  protected override all(): readonly Mock[] {
    return this.store.get().mocks;
  }

  protected override async put({ id, base, form }: MockDraft): Promise<Mock> {
    const { route } = readForm(form);
    if (id === null || base === null) return this.#put(route, id);
    try {
      const begun: MockRoute = JSON.parse(base);
      return await this.#put(route, id, begun);
    } catch (error) {
      if (!isChangedElsewhere(error)) throw error;
      await this.list();
      throw new SavedElsewhereError(this.noun, problemOf(error).code === 'CONFLICT');
    }
  }

  /** Overwrites only the version in `base`. */
  async #put(route: MockRoute, id: number | null, base?: MockRoute): Promise<Mock> {
    const saved = await this.#client.mocks.save({ ...route, ...(id !== null && { id }), ...(base && { base }) });
    this.#own.add(saved.id);
    const others = this.store.get().mocks.filter((mock) => mock.id !== saved.id);
    this.#patch({ mocks: [...others, saved].toSorted((a, b) => b.priority - a.priority || a.id - b.id) });
    return saved;
  }

  #patch(change: Partial<MocksState>): void {
    this.store.update((state) => ({ ...state, ...change }));
  }
}

interface NewPriority {
  id: number;
  priority: number;
}

/**
 * The priorities that move a mock before (`by` -1) or after (1) its neighbor of the same folder; other priorities change only if
 * necessary. `mocks` are in matching order; empty if there is no neighbor.
 */
export function moved(mocks: readonly Mock[], id: number, by: -1 | 1): NewPriority[] {
  const from = mocks.findIndex((mock) => mock.id === id);
  const mock = mocks[from];
  if (!mock) return [];
  const siblings = mocks.filter(({ folder }) => folder === mock.folder);
  const neighbor = siblings[siblings.indexOf(mock) + by];
  if (!neighbor) return [];
  const wanted = mocks.map(({ id: other, priority }) => ({ id: other, priority }));
  wanted.splice(from, 1);
  const to = wanted.findIndex((one) => one.id === neighbor.id) + (by === 1 ? 1 : 0);
  wanted.splice(to, 0, { id, priority: neighbor.priority });
  // From the last one: each at least as high as the order requires; with equal priority, the oldest is matched first.
  for (let place = wanted.length - 2; place >= 0; place -= 1) {
    const [one, next] = [wanted[place], wanted[place + 1]];
    if (one && next) one.priority = Math.max(one.priority, next.priority + (one.id < next.id ? 0 : 1));
  }
  const before = new Map(mocks.map((one) => [one.id, one.priority]));
  return wanted.filter((one) => before.get(one.id) !== one.priority);
}
