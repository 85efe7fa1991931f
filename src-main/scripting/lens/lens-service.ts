import type { RunReport } from '#domain/run/run';
import {
  isReadFrom,
  LENS_LIMITS,
  type LensCell,
  type LensRead,
  type LensSubject,
  type LensWrite,
  lensText,
  originOf,
  type ScopeGrid,
  scopeWarnings,
  type ScopeWarning,
} from '#domain/run/scope-lens';
import { traceItems } from '#domain/run/trace';
import type { Diagram } from '#domain/tag/diagram';
import type { Scope, ScopedValue } from '#domain/tag/scope';
import type { TagKind, TagValue } from '#domain/tag/tag';
import { TagwrightError } from '../../platform/errors.ts';
import type { MaybePromise } from '../../platform/maybe-promise.ts';
import type { RunService } from '../runs/run-service.ts';

interface LensServiceParts {
  /** Its runs are not in the journal. */
  runs: Pick<RunService, 'execute'>;
  tags: {
    get(input: { paths: readonly string[] } & Scope, signal?: AbortSignal): MaybePromise<TagValue[]>;
    scopes(input: { path: string }): { values: ScopedValue[] };
    kindOf(path: string): TagKind | null;
    /** `tag` throws NOT_FOUND with the nearest paths. */
    definitions: { tag(path: string): unknown };
    storedLocations(): Iterable<string>;
  };
  diagrams: { list(): { name: string }[]; get(which: { name: string }): Pick<Diagram, 'name' | 'parts'> };
  contexts: { locations(): Iterable<string> };
}

/** Runs at a time. */
const PARALLEL = 2;

/** Shows what a script, a tag or a Diagram is in each scope. Nothing is saved. */
export class LensService {
  readonly #parts: LensServiceParts;

  constructor(parts: LensServiceParts) {
    this.#parts = parts;
  }

  scopes(): { diagrams: string[]; locations: string[] } {
    const { diagrams, tags, contexts } = this.#parts;
    return {
      diagrams: inOrder(diagrams.list().map(({ name }) => name)),
      locations: inOrder([...tags.storedLocations(), ...contexts.locations()]),
    };
  }

  async show(
    request: { subject: LensSubject; diagrams?: string[] | undefined; locations?: string[] | undefined },
    signal?: AbortSignal,
  ): Promise<ScopeGrid> {
    const { subject } = request;
    const paths = this.#pathsOf(subject);
    const inUse = this.scopes();
    const stored = paths.flatMap((path) => this.#stored(path));
    const diagrams = [
      ...new Set(
        request.diagrams ??
          ('diagram' in subject
            ? [subject.diagram]
            : inOrder([...inUse.diagrams, ...stored.map(({ diagram }) => diagram)])),
      ),
    ].slice(0, LENS_LIMITS.cells);
    const all = [...new Set(request.locations ?? inUse.locations)];
    const locations = all.slice(0, Math.max(1, Math.floor(LENS_LIMITS.cells / diagrams.length)));
    const scopes = diagrams.flatMap((diagram) => locations.map((location): Scope => ({ diagram, location })));
    const cells: LensCell[] = [];
    const warnings = new Map<string, ScopeWarning>();
    let next = 0;
    const work = async (): Promise<void> => {
      for (let at = next++; at < scopes.length; at = next++) {
        const scope = scopes[at];
        if (!scope || signal?.aborted) return;
        // oxlint-disable-next-line no-await-in-loop -- several at a time
        cells[at] =
          'body' in subject
            ? await this.#run(subject, scope, warnings, signal)
            : await this.#read(paths, scope, 'tag' in subject, signal);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, work));
    if (signal?.aborted) throw new TagwrightError('CANCELLED', 'The scope lens was cancelled.');
    return { diagrams, locations, cells, warnings: [...warnings.values()], dropped: all.length - locations.length };
  }

  #pathsOf(subject: LensSubject): string[] {
    if ('body' in subject) return [];
    if ('tag' in subject) {
      this.#parts.tags.definitions.tag(subject.tag);
      return [subject.tag];
    }
    const { parts } = this.#parts.diagrams.get({ name: subject.diagram });
    return [...new Set(parts.flatMap(({ tag, trend }) => [tag, ...(trend?.tags ?? [])]))].filter((path) => path !== '');
  }

  async #run(
    { body, context }: Extract<LensSubject, { body: string }>,
    scope: Scope,
    warnings: Map<string, ScopeWarning>,
    signal?: AbortSignal,
  ): Promise<LensCell> {
    const own = { ...context, tagScopeDiagram: scope.diagram || null, tagScopeLocation: scope.location || null };
    const report = await this.#parts.runs.execute({ body, context: own, dryRun: true }, signal);
    if (scope.diagram !== '' || scope.location !== '') {
      const isScoped = (path: string) => ['storage', 'script'].includes(this.#parts.tags.kindOf(path) ?? '');
      for (const one of scopeWarnings(report.reads, report.writes, isScoped)) warnings.set(one.text, one);
    }
    const { status, error, result } = report;
    return {
      ...scope,
      status,
      result: status === 'ok' ? lensText(result) : null,
      error: error && `${error.name}: ${error.message}${error.line === null ? '' : ` (line ${error.line})`}`,
      ...this.#acts(report),
    };
  }

  /** The reads and writes of a run, and those of the scripts of tags that store values. */
  #acts(report: RunReport): Pick<LensCell, 'reads' | 'writes' | 'more'> {
    const reads: LensRead[] = [];
    const writes: LensWrite[] = [];
    let more = 0;
    for (const item of traceItems(report)) {
      if (item.what !== 'read' && item.what !== 'write') continue;
      const { path, diagram, location, line } = item;
      if (item.depth > 0 && this.#parts.tags.kindOf(path) !== 'storage') continue;
      const shown = { path, value: lensText(item.value), diagram, location, line: item.depth > 0 ? null : line };
      const list = item.what === 'read' ? reads : writes;
      if (list.length >= LENS_LIMITS.acts) more += 1;
      else if (item.what === 'write') writes.push(shown);
      else reads.push({ ...shown, quality: item.quality, ...this.#origin(path, item, writes) });
    }
    return { reads, writes, more };
  }

  async #read(paths: readonly string[], scope: Scope, isTag: boolean, signal?: AbortSignal): Promise<LensCell> {
    const listed = paths.slice(0, LENS_LIMITS.acts);
    const values = await this.#parts.tags.get({ paths: listed, ...scope }, signal);
    const reads = values.map(({ path, value, quality }): LensRead => ({
      path,
      value: lensText(value),
      quality,
      ...scope,
      line: null,
      ...this.#origin(path, scope, []),
    }));
    const result = isTag ? (reads[0]?.value ?? null) : null;
    return { ...scope, status: 'ok', result, error: null, reads, writes: [], more: paths.length - listed.length };
  }

  #origin(path: string, scope: Scope, written: readonly LensWrite[]): Pick<LensRead, 'origin' | 'shadows'> {
    if (this.#parts.tags.kindOf(path) !== 'storage') return { origin: null, shadows: [] };
    const { origin, shadows } = originOf(scope, this.#stored(path));
    if (written.some((write) => write.path === path && isReadFrom(write, scope, origin))) {
      return { origin: { from: 'run' }, shadows: [] };
    }
    return {
      origin,
      shadows: shadows.map(({ diagram, location, value }) => ({ diagram, location, value: lensText(value) })),
    };
  }

  #stored(path: string): ScopedValue[] {
    return this.#parts.tags.kindOf(path) === 'storage' ? this.#parts.tags.scopes({ path }).values : [];
  }
}

/** Without duplicates, the default first. */
function inOrder(names: readonly string[]): string[] {
  const order = new Intl.Collator('en', { numeric: true });
  return ['', ...[...new Set(names)].filter((name) => name !== '').toSorted((a, b) => order.compare(a, b))];
}
