import { copyName } from '#domain/text/copy-name';
import type { DiagramSummary, DiagramText } from '#domain/tag/diagram';
import { DIAGRAM_LIMITS } from '#domain/tag/diagram';
import type { Client } from '../../../client/client.ts';
import { stayCurrent } from '../../../client/stay-current.ts';
import { remember, remembered } from '../../../support/local-storage.ts';
import { Store } from '../../../support/store.ts';
import { OpenDiagram } from './open-diagram.ts';

interface DiagramsState {
  /** null until they are known. */
  diagrams: readonly DiagramSummary[] | null;
  problem: string | null;
  open: OpenDiagram | null;
}

type Which = { id: number } | { name: string };

/** All Diagrams, and the open one. */
export class DiagramsModel {
  readonly store = new Store<DiagramsState>({ diagrams: null, problem: null, open: null });
  readonly #client: Pick<Client, 'app' | 'diagrams'>;
  /** Counts the requests to open one: the last one wins, even if others take longer. */
  #requests = 0;

  constructor(client: Pick<Client, 'app' | 'diagrams'>) {
    this.#client = client;
  }

  /** Lists them, and again whenever one is saved or deleted, until the signal aborts. */
  async start(signal: AbortSignal): Promise<void> {
    await stayCurrent(
      {
        changes: [(end) => this.#client.diagrams.changes(undefined, { signal: end })],
        read: (end) => this.#list(end),
        failed: ({ message }) => this.#set({ problem: message }),
      },
      signal,
    );
    const { diagrams } = this.store.get();
    if (this.#requests > 0 || !diagrams) return;
    const last = remembered<number | null>('diagrams.open', null);
    // At first the one that shows most, usually the overview.
    const first = diagrams.find(({ id }) => id === last) ?? diagrams.toSorted((a, b) => b.parts - a.parts)[0];
    if (first) await this.open({ id: first.id });
  }

  /** Rejects with the error of main if there is no such Diagram. */
  async open(which: Which): Promise<void> {
    const turn = (this.#requests += 1);
    const [{ workspace }, diagram] = await Promise.all([this.#client.app.info(), this.#client.diagrams.get(which)]);
    if (turn !== this.#requests) return;
    remember('diagrams.open', diagram.id);
    this.#set({ open: new OpenDiagram(this.#client, workspace, diagram) });
  }

  /** Creates a Diagram and opens it; rejects with the error of main. */
  async create(text: DiagramText): Promise<void> {
    const { id } = await this.#client.diagrams.save(text);
    await this.open({ id });
  }

  /** Copies a saved Diagram and opens the copy; rejects with the error of main. */
  async duplicate(id: number): Promise<void> {
    const { name, width, height, parts } = await this.#client.diagrams.get({ id });
    const taken = (this.store.get().diagrams ?? []).map((one) => one.name);
    await this.create({ name: copyName(name, taken, DIAGRAM_LIMITS.name), width, height, parts });
  }

  /** Deletes a Diagram; the returned value recreates it with its unsaved changes. */
  async delete(id: number): Promise<() => Promise<void>> {
    const { name, width, height, parts } = await this.#client.diagrams.get({ id });
    await this.#client.diagrams.delete({ id });
    const { open } = this.store.get();
    const unsaved = open?.id === id && !open.store.get().saved ? open.page : null;
    if (open?.id === id) this.discardOpen();
    return async () => {
      await this.create({ name, width, height, parts });
      if (unsaved) this.store.get().open?.edit(unsaved);
    };
  }

  /** Closes the open Diagram and discards its unsaved changes. */
  discardOpen(): void {
    this.store.get().open?.forget();
    this.#set({ open: null });
  }

  async #list(signal: AbortSignal): Promise<void> {
    const diagrams = await this.#client.diagrams.list(undefined, { signal });
    if (signal.aborted) return;
    this.#set({ diagrams, problem: null });
    await this.store.get().open?.refresh();
  }

  #set(change: Partial<DiagramsState>): void {
    this.store.update((state) => ({ ...state, ...change }));
  }
}
