import type { SearchKind } from '#domain/search/found';
import type { RefusedItem, ReplacedDraft } from '#domain/search/replaced';
import { replacedText } from '#domain/search/replaced';
import type { Client } from '../../../client/client.ts';
import { isAbort, problemOf } from '../../../client/errors.ts';
import { Store } from '../../../support/store.ts';
import type { Workbench } from '../../../frame/workbench.ts';
import type { FoundMatch, SearchForm, SearchState } from './search-state.ts';
import { EMPTY_FORM, idAfter, idOfItem, adjacentMatch, requestFor, shownResults } from './search-state.ts';

/** The pause in typing after which a search begins, ms. */
const PAUSE_MS = 250;
const MOST_HISTORY = 20;
/** Items that a notice names. */
const MOST_REFUSED = 3;

/** The part that is kept for the next page load. */
export interface SearchMemory {
  read<T>(key: string, fallback: T): T;
  write(key: string, value: unknown): void;
}

interface SearchModelParts {
  client: Pick<Client, 'search'>;
  memory: SearchMemory;
  /** This window, whose drafts are searched instead of saved scripts. */
  window: string;
  /** Stores what was typed in editors, so that it is found. */
  flush: () => Promise<void>;
  /** Replaces the body of a draft of this window; false if it is no longer `before`. */
  replaceDraft: (key: string, before: string, after: string) => Promise<boolean>;
  notify: Workbench['notify'];
}

/** A search with its results. A new search ends the former one; its results stay until the first ones of the new one. */
export class SearchModel {
  readonly store: Store<SearchState>;
  readonly #parts: SearchModelParts;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #inProgress = new AbortController();
  #checkTimer: ReturnType<typeof setTimeout> | undefined;
  #checking = new AbortController();
  /** Whether the results are those of an earlier form. */
  #isOutdated = false;
  /** What was typed before an earlier search was brought back. */
  #typed = '';

  constructor(parts: SearchModelParts) {
    this.#parts = parts;
    const kept = parts.memory.read<Partial<SearchForm>>('search.form', {});
    this.store = new Store<SearchState>({
      form: { ...EMPTY_FORM, ...kept },
      history: parts.memory.read<string[]>('search.history', []),
      ...NO_RESULTS,
      references: null,
      phase: 'empty',
    });
  }

  /** Changes the form, and searches after a pause in typing. */
  change(change: Partial<SearchForm>): void {
    const form = { ...this.store.get().form, ...change };
    this.#patch({ form });
    const { text: _text, replacing: _replacing, replacement: _replacement, ...kept } = form;
    this.#parts.memory.write('search.form', kept);
    if (Object.keys(change).every((key) => OF_REPLACING.has(key))) return this.#checkSoon();
    if (Object.keys(change).every((key) => key === 'filters')) return undefined;
    clearTimeout(this.#timer);
    this.#isOutdated = true;
    this.#patch({ references: null });
    this.#timer = setTimeout(() => void this.search(), PAUSE_MS);
    return undefined;
  }

  toggleKind(kind: SearchKind): void {
    const { kinds } = this.store.get().form;
    this.change({ kinds: kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind] });
  }

  /** Shows an older search (1) or a newer one (-1), and finally the text that was typed before. */
  recall(by: 1 | -1): void {
    const { history, form } = this.store.get();
    const now = history.indexOf(form.text);
    if (now === -1) this.#typed = form.text;
    const text = now + by === -1 ? this.#typed : history[now + by];
    if (text !== undefined) this.change({ text });
  }

  /** Searches now. With `again`, what was excluded stays so. */
  async search(again = false): Promise<void> {
    const { excluded, closed } = this.store.get();
    clearTimeout(this.#timer);
    this.#isOutdated = false;
    this.#inProgress.abort();
    const inProgress = new AbortController();
    this.#inProgress = inProgress;
    const { references } = this.store.get();
    if (references !== null) return this.#findReferences(references, inProgress.signal);
    const { text, regex, matchCase, wholeWord, include, exclude, kinds } = this.store.get().form;
    if (text === '' || kinds.length === 0) return this.#patch({ ...NO_RESULTS, phase: 'empty' });
    this.#patch({ phase: 'searching', progress: null, problem: null });
    let isFirst = true;
    try {
      await this.#parts.flush();
      const steps = await this.#parts.client.search.find(
        {
          query: { text, regex, matchCase, wholeWord },
          kinds: [...kinds],
          include,
          exclude,
          window: this.#parts.window,
        },
        { signal: inProgress.signal },
      );
      for await (const { searched, total, items, end } of steps) {
        if (inProgress.signal.aborted) return undefined;
        const { current, ...former } = this.store.get();
        this.#patch({
          ...(isFirst && NO_RESULTS),
          ...(isFirst && { current }),
          ...(isFirst && again && { excluded, closed }),
          items: isFirst ? items : [...former.items, ...items],
          progress: { searched, total },
          ...(end && { end, phase: 'done' as const }),
        });
        isFirst = false;
        if (end) this.#checkSoon();
        if (end && end.matches > 0) this.#remember(text);
      }
    } catch (error) {
      if (inProgress.signal.aborted || isAbort(error)) return undefined;
      this.#patch({ ...NO_RESULTS, phase: 'failed', problem: problemOf(error).message });
    }
    return undefined;
  }

  /** Lists the references to a name in all scripts, instead of a search; null returns to the search. */
  async showReferences(name: string | null): Promise<void> {
    this.#patch({ references: name });
    if (name !== null) this.#patch({ form: { ...this.store.get().form, replacing: false } });
    await this.search();
  }

  async #findReferences(name: string, signal: AbortSignal): Promise<void> {
    this.#patch({ phase: 'searching', progress: null, problem: null });
    try {
      await this.#parts.flush();
      const found = await this.#parts.client.search.references({ name, window: this.#parts.window }, { signal });
      if (signal.aborted) return;
      const { current } = this.store.get();
      this.#patch({ ...NO_RESULTS, current, ...found, phase: 'done' });
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      this.#patch({ ...NO_RESULTS, phase: 'failed', problem: problemOf(error).message });
    }
  }

  /** Ends the search; what was found stays. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#inProgress.abort();
    if (this.store.get().phase === 'searching') this.#patch({ phase: 'done' });
  }

  /** Excludes an item or a match from the results; `next` becomes the current result. */
  exclude(id: string, next: string | null): void {
    const { excluded } = this.store.get();
    this.#patch({ excluded: new Set([...excluded, id]), current: next });
  }

  fold(id: string, isOpen: boolean): void {
    const closed = new Set(this.store.get().closed);
    if (isOpen) closed.delete(id);
    else closed.add(id);
    this.#patch({ closed });
  }

  select(id: string | null): void {
    this.#patch({ current: id });
  }

  /** Selects the next match, or the previous one, and returns it. */
  step(by: 1 | -1): FoundMatch | null {
    const state = this.store.get();
    const next = adjacentMatch(shownResults(state), state.current, by);
    if (next) this.#patch({ current: next.id });
    return next;
  }

  /** Replaces matches, and searches again. */
  async replace(matches: readonly FoundMatch[]): Promise<void> {
    const { client, window, notify } = this.#parts;
    const state = this.store.get();
    const { form, refused } = state;
    const chosen = matches.filter(({ item }) => item.readOnly === null && !refused.has(idOfItem(item)));
    if (chosen.length === 0 || state.saving || state.references !== null) return;
    if (this.#isOutdated) {
      notify({ intent: 'info', title: 'The search has changed', body: 'Check the new results, then replace again.' });
      await this.search();
      return;
    }
    const last = adjacentMatch(shownResults(state), chosen.at(-1)?.id ?? null, 1);
    this.#patch({ saving: true });
    try {
      await this.#parts.flush();
      const outcome = await client.search.replace({ ...this.#request(chosen), window });
      const stale = await this.#inDrafts(outcome.drafts);
      const items = outcome.items - stale.length;
      const failed = [...outcome.refused, ...stale];
      const { undo, drafts } = outcome;
      notify({
        intent: failed.length > 0 ? 'warning' : 'success',
        title: items > 0 ? `Replaced ${replacedText({ ...outcome, items })}` : 'Nothing was replaced',
        ...(failed.length > 0 && { body: refusedText(failed) }),
        ...(items > 0 && { action: { label: 'Undo', run: () => this.#undo(undo, drafts) } }),
      });
      const { excluded } = this.store.get();
      this.#patch({
        excluded: new Set([...excluded].map((id) => idAfter(id, chosen, form))),
        current: last && idAfter(last.id, chosen, form),
      });
    } catch (error) {
      notify({ intent: 'error', title: 'Nothing was replaced', error });
    } finally {
      this.#patch({ saving: false });
    }
    await this.search(true);
  }

  async #undo(id: string | null, drafts: readonly ReplacedDraft[]): Promise<void> {
    const { client, notify } = this.#parts;
    try {
      const stale = await this.#inDrafts(
        drafts.map(({ key, before, after }) => ({ key, before: after, after: before })),
      );
      const undone = id === null ? { items: 0, refused: [] } : await client.search.undo({ id });
      const failed = [...undone.refused, ...stale];
      notify({
        intent: failed.length > 0 ? 'warning' : 'success',
        title: `Undone in ${undone.items + drafts.length - stale.length} items`,
        ...(failed.length > 0 && { body: refusedText(failed) }),
      });
    } catch (error) {
      notify({ intent: 'error', title: 'Undo failed', error });
    }
    await this.search(true);
  }

  /** Replaces the bodies of drafts in this window; returns the drafts that have changed. */
  async #inDrafts(drafts: readonly ReplacedDraft[]): Promise<Pick<RefusedItem, 'name' | 'reason'>[]> {
    const stale: Pick<RefusedItem, 'name' | 'reason'>[] = [];
    for (const { key, before, after } of drafts) {
      if (await this.#parts.replaceDraft(key, before, after)) continue;
      const item = this.store.get().items.find((one) => one.kind === 'drafts' && one.key === key);
      stale.push({ name: item?.name ?? key, reason: 'the draft has changed; search again' });
    }
    return stale;
  }

  #request(matches: readonly FoundMatch[]) {
    const { text, regex, matchCase, wholeWord, replacement, preserveCase } = this.store.get().form;
    return {
      query: { text, regex, matchCase, wholeWord },
      replacement: { text: replacement, preserveCase },
      items: requestFor(matches),
    };
  }

  /** After a pause, finds the items that could not be saved with their replacements. */
  #checkSoon(): void {
    clearTimeout(this.#checkTimer);
    this.#checking.abort();
    this.#patch({ refused: new Map() });
    const { form, phase, references } = this.store.get();
    if (form.replacing && phase === 'done' && references === null)
      this.#checkTimer = setTimeout(() => void this.#check(), PAUSE_MS);
  }

  async #check(): Promise<void> {
    const { client, window } = this.#parts;
    const checking = new AbortController();
    this.#checking = checking;
    const matches = shownResults(this.store.get()).flatMap((shown) => shown.matches);
    try {
      const request = { ...this.#request(matches), window, dryRun: true };
      const { refused } = await client.search.replace(request, { signal: checking.signal });
      if (checking.signal.aborted) return;
      this.#patch({ refused: new Map(refused.map((item) => [idOfItem(item), item.reason])) });
    } catch {
      // The same problem is reported when matches are replaced.
    }
  }

  #remember(text: string): void {
    const history = [text, ...this.store.get().history.filter((one) => one !== text)].slice(0, MOST_HISTORY);
    this.#patch({ history });
    this.#parts.memory.write('search.history', history);
  }

  #patch(patch: Partial<SearchState>): void {
    this.store.update((state) => ({ ...state, ...patch }));
  }
}

/** What changes only the replacements. */
const OF_REPLACING = new Set(['replacing', 'replacement', 'preserveCase']);

/** `Line 2/Fill: …`, and how many more. */
function refusedText(refused: readonly Pick<RefusedItem, 'name' | 'reason'>[]): string {
  const shown = refused.slice(0, MOST_REFUSED).map(({ name, reason }) => `${name}: ${reason}`);
  const more = refused.length - shown.length;
  return `Not replaced in ${shown.join('; ')}${more > 0 ? `; and in ${more} more` : ''}`;
}

const NO_RESULTS = {
  progress: null,
  items: [],
  end: null,
  problem: null,
  excluded: new Set<string>(),
  closed: new Set<string>(),
  refused: new Map<string, string>(),
  saving: false,
  current: null,
} satisfies Partial<SearchState>;
