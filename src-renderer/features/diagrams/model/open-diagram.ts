import type { Diagram, DiagramText } from '#domain/tag/diagram';
import type { Client } from '../../../client/client.ts';
import { problemOf } from '../../../client/errors.ts';
import { remember, remembered } from '../../../support/local-storage.ts';
import { Store } from '../../../support/store.ts';
import { changed, historyOf, redone, undone } from './history.ts';
import type { Undoable } from './history.ts';

interface UnsavedPage {
  baseVersion: number;
  page: DiagramText;
}

export interface OpenState {
  history: Undoable<DiagramText>;
  /** Whether the shown state equals the stored one. */
  saved: boolean;
  /** False while the browser does not store unsaved changes. */
  keeps: boolean;
  /** Whether another window saved or deleted it; null if neither. */
  elsewhere: 'saved' | 'deleted' | null;
}

/**
 * An open Diagram: the shown state, with undo; unsaved changes are stored in this browser until they are saved or
 * discarded.
 */
export class OpenDiagram {
  readonly id: number;
  readonly store: Store<OpenState>;
  readonly #client: Pick<Client, 'diagrams'>;
  readonly #draftKey: string;
  #stored: Diagram;

  constructor(client: Pick<Client, 'diagrams'>, workspace: string, diagram: Diagram) {
    this.#client = client;
    this.#stored = diagram;
    this.id = diagram.id;
    // The browser host of another workspace may have used the same address.
    this.#draftKey = `${workspace}.diagram.draft.${this.id}`;
    const draft = remembered<UnsavedPage | null>(this.#draftKey, null);
    const history = historyOf(textOf(diagram));
    this.store = new Store<OpenState>({
      history: draft ? changed(history, draft.page) : history,
      saved: draft === null,
      keeps: true,
      elsewhere: draft !== null && draft.baseVersion !== diagram.version ? 'saved' : null,
    });
    if (draft) this.#stored = { ...diagram, version: draft.baseVersion };
  }

  get page(): DiagramText {
    return this.store.get().history.now;
  }

  edit(next: DiagramText, merge: string | null = null): void {
    this.#show(changed(this.store.get().history, next, merge));
  }

  undo(): void {
    this.#show(undone(this.store.get().history));
  }

  redo(): void {
    this.#show(redone(this.store.get().history));
  }

  /**
   * Rejects with the error of main; CONFLICT if another window saved it, unless `over` is true, which overwrites that.
   */
  async save(over = false): Promise<void> {
    const page = this.page;
    try {
      const baseVersion = over ? (await this.#client.diagrams.get({ id: this.id })).version : this.#stored.version;
      this.#stored = await this.#client.diagrams.save({ ...page, id: this.id, baseVersion });
    } catch (error) {
      if (problemOf(error).code === 'CONFLICT' && namesCurrent(error)) this.#applyOtherChange('saved');
      if (problemOf(error).code === 'NOT_FOUND') this.#applyOtherChange('deleted');
      throw error;
    }
    const still = Object.is(page, this.page);
    if (still) remember(this.#draftKey, null);
    this.store.update((state) => ({ ...state, saved: still, elsewhere: null }));
    if (!still) this.#keep();
  }

  /** Shows the stored version; undo restores the former one. */
  async revert(): Promise<void> {
    this.#stored = await this.#client.diagrams.get({ id: this.id });
    remember(this.#draftKey, null);
    const { history, saved } = this.store.get();
    const next = saved ? historyOf(textOf(this.#stored)) : changed(history, textOf(this.#stored));
    this.store.update((state) => ({ ...state, history: next, saved: true, elsewhere: null }));
  }

  /** Another window changed something: a Diagram without unsaved changes is reloaded. */
  async refresh(): Promise<void> {
    try {
      const stored = await this.#client.diagrams.get({ id: this.id });
      if (stored.version === this.#stored.version) return;
      if (this.store.get().saved) await this.revert();
      else this.#applyOtherChange('saved');
    } catch (error) {
      if (problemOf(error).code === 'NOT_FOUND') this.#applyOtherChange('deleted');
    }
  }

  forget(): void {
    remember(this.#draftKey, null);
  }

  #show(history: Undoable<DiagramText>): void {
    if (history === this.store.get().history) return;
    // Equal to the saved state: there is nothing to save.
    const saved = JSON.stringify(history.now) === JSON.stringify(textOf(this.#stored)) && !this.store.get().elsewhere;
    this.store.update((state) => ({ ...state, history, saved }));
    if (saved) remember(this.#draftKey, null);
    else this.#keep();
  }

  #keep(): void {
    const draft: UnsavedPage = { baseVersion: this.#stored.version, page: this.page };
    const keeps = remember(this.#draftKey, draft);
    this.store.update((state) => (state.keeps === keeps ? state : { ...state, keeps }));
  }

  #applyOtherChange(elsewhere: 'saved' | 'deleted'): void {
    this.store.update((state) => ({ ...state, elsewhere }));
  }
}

function textOf({ name, width, height, parts }: Diagram): DiagramText {
  return { name, width, height, parts };
}

/** Whether a CONFLICT is about the work of another window, not about a name that is taken. */
function namesCurrent(error: unknown): boolean {
  const { data } = problemOf(error);
  return typeof data === 'object' && data !== null && 'current' in data;
}
