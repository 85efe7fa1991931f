import type { DiagramSummary, DiagramText } from '#domain/diagram';
import type { Client } from '../../../client/client.ts';
import { problemOf } from '../../../client/errors.ts';
import { follow } from '../../../client/follow.ts';
import { remember, remembered } from '../../../ui/local-storage.ts';
import { Store } from '../../../ui/store.ts';
import { OpenDiagram } from './open-diagram.ts';

interface DiagramsState {
  /** null until they are known. */
  diagrams: readonly DiagramSummary[] | null;
  problem: string | null;
  open: OpenDiagram | null;
}

type Which = { id: number } | { name: string };

/** All Diagrams, and the one that is open. */
export class DiagramsModel {
  readonly store = new Store<DiagramsState>({ diagrams: null, problem: null, open: null });
  readonly #client: Pick<Client, 'diagrams'>;
  /** Counts what was asked to be opened: the last one wins, however long the others take. */
  #asked = 0;

  constructor(client: Pick<Client, 'diagrams'>) {
    this.#client = client;
  }

  /** Lists them, and again whenever one was saved or deleted, until the signal aborts. */
  async start(signal: AbortSignal): Promise<void> {
    void follow(
      (end) => this.#client.diagrams.changes(undefined, { signal: end }),
      () => void this.#list(signal),
      signal,
    );
    await this.#list(signal);
    const { diagrams } = this.store.get();
    if (this.#asked > 0 || !diagrams) return;
    const last = remembered<number | null>('diagrams.open', null);
    const first = diagrams.find(({ id }) => id === last) ?? diagrams[0];
    if (first) await this.open({ id: first.id });
  }

  /** Rejects with what main says where there is no such Diagram. */
  async open(which: Which): Promise<void> {
    const turn = (this.#asked += 1);
    const diagram = await this.#client.diagrams.get(which);
    if (turn !== this.#asked) return;
    remember('diagrams.open', diagram.id);
    this.#set({ open: new OpenDiagram(this.#client, diagram) });
  }

  /** Makes a Diagram and opens it; rejects with what main says. */
  async create(text: DiagramText): Promise<void> {
    const { id } = await this.#client.diagrams.save(text);
    await this.open({ id });
  }

  /** Deletes a Diagram; what is given back makes it again. */
  async delete(id: number): Promise<() => Promise<void>> {
    const { name, width, height, parts } = await this.#client.diagrams.get({ id });
    await this.#client.diagrams.delete({ id });
    const { open } = this.store.get();
    if (open?.id === id) {
      open.forget();
      this.#set({ open: null });
    }
    return () => this.create({ name, width, height, parts });
  }

  async #list(signal: AbortSignal): Promise<void> {
    try {
      const diagrams = await this.#client.diagrams.list(undefined, { signal });
      if (signal.aborted) return;
      this.#set({ diagrams, problem: null });
      await this.store.get().open?.refresh();
    } catch (error) {
      if (!signal.aborted) this.#set({ problem: problemOf(error).message });
    }
  }

  #set(change: Partial<DiagramsState>): void {
    this.store.update((state) => ({ ...state, ...change }));
  }
}
