import type { LensSubject, ScopeGrid } from '#domain/run/scope-lens';
import type { Client } from '../../../client/client.ts';
import { isAbort, type Problem, problemOf } from '../../../client/errors.ts';
import { remember } from '../../../support/local-storage.ts';
import { Store } from '../../../support/store.ts';
import type { Scripts } from '../scripts-context.ts';

/** What the user shows in all scopes. */
export type LensChoice = { what: 'script' } | { what: 'tag'; tag: string } | { what: 'diagram'; diagram: string };

export interface LensState {
  choice: LensChoice;
  /** Names with commas between them, as typed; if empty, the scopes in use. */
  diagrams: string;
  locations: string;
  busy: boolean;
  /** The last grid, and its subject. */
  last: { grid: ScopeGrid; subject: LensSubject } | null;
  /** The index of the selected cell. */
  selected: number;
  problem: Problem | null;
}

export const NO_LENS: LensState = {
  choice: { what: 'script' },
  diagrams: '',
  locations: '',
  busy: false,
  last: null,
  selected: 0,
  problem: null,
};

/** The scope lens of each open script. */
export class Lenses {
  /** By the `editor` of the doc. */
  readonly store = new Store<ReadonlyMap<string, LensState>>(new Map());
  readonly #client: Pick<Client, 'lens'>;
  readonly #inProgress = new Map<string, AbortController>();

  constructor(client: Pick<Client, 'lens'>) {
    this.#client = client;
  }

  of(key: string): LensState {
    return this.store.get().get(key) ?? NO_LENS;
  }

  choose(key: string, choice: LensChoice): void {
    this.#patch(key, { choice });
  }

  /** Types names of Diagrams or locations. */
  typeScopes(key: string, typed: Partial<Pick<LensState, 'diagrams' | 'locations'>>): void {
    this.#patch(key, typed);
  }

  select(key: string, selected: number): void {
    this.#patch(key, { selected });
  }

  /** Shows a subject in the scopes in use, or in the chosen ones, instead of a subject in progress. */
  async show(key: string, subject: LensSubject): Promise<void> {
    this.cancel(key);
    const end = new AbortController();
    this.#inProgress.set(key, end);
    this.#patch(key, { busy: true, problem: null });
    const state = this.of(key);
    const [diagrams, locations] = [namesOf(state.diagrams), namesOf(state.locations)];
    try {
      const request = { subject, ...(diagrams && { diagrams }), ...(locations && { locations }) };
      const grid = await this.#client.lens.show(request, { signal: end.signal });
      if (!end.signal.aborted) this.#patch(key, { last: { grid, subject }, selected: 0 });
    } catch (error) {
      if (!end.signal.aborted && !isAbort(error)) this.#patch(key, { problem: problemOf(error) });
    } finally {
      if (this.#inProgress.get(key) === end) {
        this.#inProgress.delete(key);
        this.#patch(key, { busy: false });
      }
    }
  }

  cancel(key: string): void {
    this.#inProgress.get(key)?.abort();
  }

  /** Drops that of a closed script. */
  forget(key: string): void {
    this.cancel(key);
    const left = new Map(this.store.get());
    if (left.delete(key)) this.store.set(left);
  }

  #patch(key: string, patch: Partial<LensState>): void {
    this.store.set(new Map(this.store.get()).set(key, { ...this.of(key), ...patch }));
  }
}

/** Shows a tag or a Diagram in the lens of the open script; if none is open, of the first one. */
export async function showInScopes(
  { model, lenses, debug }: Pick<Scripts, 'model' | 'lenses' | 'debug'>,
  choice: Exclude<LensChoice, { what: 'script' }>,
): Promise<void> {
  const { active, scripts: saved, groups } = model.store.get();
  const [first] = saved;
  if (active === null && first) await model.open(first.id);
  else if (active === null) model.create(groups[0] ?? '');
  const shown = model.store.get().active;
  const key = shown === null ? undefined : model.doc(shown)?.editor;
  if (key === undefined) return;
  lenses.choose(key, choice);
  // The scopes in use: other scopes may have been typed for another subject.
  lenses.typeScopes(key, { diagrams: '', locations: '' });
  remember('preview.pane', 'lens');
  debug.pane.set('preview');
  void lenses.show(key, choice.what === 'tag' ? { tag: choice.tag } : { diagram: choice.diagram });
}

/** Null for an empty text. `default` is the default scope. */
function namesOf(text: string): string[] | null {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names.length === 0 ? null : names.map((name) => (name.toLowerCase() === 'default' ? '' : name));
}
