import { isDeepStrictEqual } from 'node:util';
import { diagramText } from '#contract/texts/diagram-text';
import type { Diagram, DiagramSummary, DiagramText } from '#domain/tag/diagram';
import { problemOfDiagramName, problemOfPart } from '#domain/tag/diagram';
import { nameKey } from '#domain/text/name-key';
import type { Clock } from '../../platform/clock.ts';
import { TagwrightError } from '../../platform/errors.ts';
import { Listeners } from '../../platform/events.ts';
import type { CommitQueue } from '../../storage/commit-queue.ts';
import type { DiagramRepository, DiagramRow } from '../../storage/repositories/diagram-repository.ts';

export interface DiagramServiceParts {
  diagrams: DiagramRepository;
  commits: CommitQueue;
  clock: Clock;
  /** Whether Diagrams are loaded when one is first asked for: a short command may need none. */
  loadsLate?: boolean;
}

/** A Diagram to save: without `id` a new one. */
export type DiagramDraft = DiagramText & { id?: number | undefined; baseVersion?: number | undefined };

/** The Diagrams of the workspace. Methods are named after the procedures of the contract. */
export class DiagramService {
  readonly #parts: DiagramServiceParts;
  readonly #changes = new Listeners<{ id: number }>();
  /** null until they are loaded. */
  #loaded: Map<number, Diagram> | null;

  constructor(parts: DiagramServiceParts) {
    this.#parts = parts;
    this.#loaded = parts.loadsLate ? null : this.#load();
  }

  get #diagrams(): Map<number, Diagram> {
    return (this.#loaded ??= this.#load());
  }

  #load(): Map<number, Diagram> {
    return new Map(this.#parts.diagrams.all().map((row) => [row.id, diagramOf(row)]));
  }

  /** Called after a Diagram was saved or deleted; the returned function removes the listener. */
  onChange(listener: (change: { id: number }) => void): () => void {
    return this.#changes.add(listener);
  }

  close(): void {
    this.#changes.clear();
  }

  /** Ordered by name. */
  list(): DiagramSummary[] {
    return this.all().map(({ id, name, version, savedAt, parts }) => ({
      id,
      name,
      parts: parts.length,
      version,
      savedAt,
    }));
  }

  /** Throws NOT_FOUND. */
  get(which: { id: number } | { name: string }): Diagram {
    const found = 'id' in which ? this.#diagrams.get(which.id) : this.#named(which.name);
    if (found) return structuredClone(found);
    throw missing('id' in which ? `with the id ${which.id}` : `named "${which.name}"`);
  }

  /** Throws BAD_REQUEST with data.issues, NOT_FOUND, or CONFLICT: the name is taken, or another window saved it. */
  async save({ id, baseVersion, ...text }: DiagramDraft): Promise<Diagram> {
    const { diagrams, commits, clock } = this.#parts;
    checkDiagram(text);
    if (id !== undefined) this.get({ id });
    // Inside the job: the memory does not reflect earlier jobs of the same transaction.
    const saved = await commits.run((): Diagram => {
      const row = id === undefined ? undefined : diagrams.get(id);
      if (id !== undefined && !row) throw missing(`with the id ${id}`);
      const before = row && diagramOf(row);
      if (before && baseVersion !== undefined && baseVersion !== before.version) throw savedElsewhere(before);
      const other = diagrams.named(nameKey(text.name));
      if (other && other.id !== id) throw nameTaken(other.name);
      const next = { ...structuredClone(text), version: (before?.version ?? 0) + 1, savedAt: clock.iso() };
      if (!before) return { ...next, id: diagrams.insert(rowOf(next)) };
      diagrams.update({ ...rowOf(next), id: before.id });
      return { ...next, id: before.id };
    });
    this.#diagrams.set(saved.id, saved);
    this.#changes.emit({ id: saved.id });
    return structuredClone(saved);
  }

  /** All of them, with their parts. */
  all(): Diagram[] {
    return [...this.#diagrams.values()].toSorted((a, b) => (nameKey(a.name) < nameKey(b.name) ? -1 : 1));
  }

  /**
   * Saves a new version of the Diagrams that `change` changes, without checking them, inside a job of the commit queue.
   * Returns these Diagrams; listeners are notified after the commit.
   */
  rewrite(change: (diagram: Diagram) => Diagram): Diagram[] {
    const { diagrams, commits, clock } = this.#parts;
    const changed = diagrams.all().flatMap((row): Diagram[] => {
      const diagram = diagramOf(row);
      const rewritten = change(diagram);
      if (isDeepStrictEqual(rewritten, diagram)) return [];
      const saved = { ...rewritten, version: diagram.version + 1, savedAt: clock.iso() };
      diagrams.update({ ...rowOf(saved), id: saved.id });
      return [saved];
    });
    commits.afterCommit(() => {
      for (const diagram of changed) this.#diagrams.set(diagram.id, diagram);
      for (const { id } of changed) this.#changes.emit({ id });
    });
    return changed;
  }

  /** Throws NOT_FOUND. */
  async delete({ id }: { id: number }): Promise<void> {
    this.get({ id });
    await this.#parts.commits.run(() => this.#parts.diagrams.delete(id));
    this.#diagrams.delete(id);
    this.#changes.emit({ id });
  }

  #named(name: string): Diagram | undefined {
    const key = nameKey(name);
    return [...this.#diagrams.values()].find((diagram) => nameKey(diagram.name) === key);
  }
}

const missing = (what: string): TagwrightError =>
  new TagwrightError('NOT_FOUND', `There is no Diagram ${what}. The Diagrams view lists all Diagrams.`);

const nameTaken = (name: string): TagwrightError =>
  new TagwrightError('CONFLICT', `A Diagram named "${name}" already exists. Choose another name.`);

function savedElsewhere(current: Diagram): TagwrightError {
  const message = `"${current.name}" was saved in another window (version ${current.version}).`;
  return new TagwrightError('CONFLICT', `${message} Reload it, or save your work under another name.`, {
    data: { current: { ...current, parts: current.parts.map((part) => ({ ...part })) } },
  });
}

/** Throws BAD_REQUEST with `data.issues` if a Diagram cannot be saved with this text. */
export function checkDiagram({ name, width, height, parts }: DiagramText): void {
  const issues: { path: (string | number)[]; message: string }[] = [];
  const problem = problemOfDiagramName(name);
  if (problem !== null) issues.push({ path: ['name'], message: problem });
  const ids = new Set<string>();
  for (const [index, part] of parts.entries()) {
    if (ids.has(part.id)) issues.push({ path: ['parts', index, 'id'], message: `two parts have the id "${part.id}"` });
    ids.add(part.id);
    const unfit = problemOfPart(part);
    if (unfit !== null) issues.push({ path: ['parts', index, part.gauge ? 'gauge' : part.kind], message: unfit });
    if (part.x + part.width > width || part.y + part.height > height) {
      const message = `the part extends beyond the page of ${width} × ${height} px`;
      issues.push({ path: ['parts', index], message });
    }
  }
  const [first] = issues;
  if (!first) return;
  throw new TagwrightError('BAD_REQUEST', `The Diagram cannot be saved: ${first.message}.`, { data: { issues } });
}

function rowOf({ name, version, savedAt, width, height, parts }: Omit<Diagram, 'id'>): Omit<DiagramRow, 'id'> {
  return { name, nameKey: nameKey(name), version, page: JSON.stringify({ width, height, parts }), savedAt };
}

function diagramOf({ id, name, version, page, savedAt }: DiagramRow): Diagram {
  const stored: unknown = JSON.parse(page);
  const text = diagramText().parse({ ...(typeof stored === 'object' ? stored : {}), name });
  return { ...text, id, version, savedAt };
}
