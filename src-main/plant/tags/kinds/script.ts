import { z } from 'zod';
import { convert } from '#domain/tag/convert';
import type { JsonObject } from '#domain/text/json';
import type { Quality } from '#domain/tag/quality';
import type { Scope } from '#domain/tag/scope';
import type { TagValue } from '#domain/tag/tag';
import { QUALITY_OF_RUN } from '../values/run-quality.ts';
import type { NestedScriptEnd } from '#domain/run/script-evaluator';
import type { Tag } from '../definitions/tag.ts';
import type { BatchKind, ParsedSettings, Preparation, ReadView, Reference, WriteView } from './kind.ts';
import type { Bindings, ScriptSource } from './script-bindings.ts';
import { ScriptBindings } from './script-bindings.ts';
import { issuesOf, refused } from './settings.ts';

export interface ScriptParts {
  /** The library with the scripts of tags; without it there are no script tags. */
  library?: ScriptSource;
}

const UPDATE_MS = 5_000;
const script = z.union([z.string(), z.strictObject({ id: z.int().positive() })]).nullish();
const schema = z.strictObject({
  readScript: script,
  writeScript: script,
  updateMs: z.int().min(100).max(86_400_000).default(UPDATE_MS),
});

const nothing = (): void => undefined;
const no = (reason: string): Preparation => ({ ok: false, reason });

/** The entry in the chain of a view for a tag that is being written. */
const writing = (path: string): string => `${path} (write)`;

/**
 * Script tags: a read returns the result of the read script, a write runs the write script with `tagValue`. The scripts
 * are in the library. Their reads and writes belong to the run, transaction or dry run that led to the tag.
 */
export function scriptKind(library: ScriptSource): BatchKind {
  const tags = new Map<number, Tag>();
  const bindings = new ScriptBindings(library);
  library.onChange(() => {
    bindings.forget();
    for (const tag of tags.values()) refresh(tag);
  });

  /** Shows the scripts of a tag under their current names. */
  function refresh(tag: Tag): void {
    const settings = bindings.renamed(tag.definition.settings);
    if (settings !== tag.definition.settings) tag.definition = { ...tag.definition, settings };
  }

  function parse(settings: JsonObject): ParsedSettings {
    const parsed = schema.safeParse(settings);
    if (!parsed.success) return { ok: false, issues: issuesOf(parsed.error) };
    const { readScript, writeScript, updateMs } = parsed.data;
    const found: Partial<Bindings> = {};
    for (const [member, given] of Object.entries({ readScript, writeScript })) {
      if (given === null || given === undefined || given === '') continue;
      const bound = bindings.find(given);
      if (!bound.ok) return refused(bound.reason, member);
      found[member === 'readScript' ? 'readScript' : 'writeScript'] = bound.id;
    }
    if (found.readScript === undefined && found.writeScript === undefined) {
      return refused('name a script of the library as "Group/Name" in readScript, writeScript or both');
    }
    return { ok: true, settings: bindings.settingsOf(found, updateMs) };
  }

  async function readOne(tag: Tag, scope: Scope, view: ReadView): Promise<TagValue> {
    const { path, type } = tag.definition;
    const bad = (quality: Quality, reason: string): TagValue => ({ path, value: null, quality, type, reason });
    const { readScript } = bindings.of(tag.definition.settings);
    if (readScript === undefined) return bad('BadNotReadable', 'it has no read script');
    const circle = circleOf(path, view);
    if (circle !== null) return bad('BadConfigurationError', circle);
    const bound = bindings.script(readScript);
    if (!bound.ok) return bad('BadConfigurationError', bound.reason);
    const end = await view.scripts.run({
      chain: [...view.chain, path],
      sort: 'tag',
      body: bound.body,
      context: contextOf(path, scope),
      signal: view.signal,
      calls: (inner) => view.within(path, inner),
    });
    if (end.status !== 'ok') {
      return bad(QUALITY_OF_RUN[end.status], `its read script "${bound.name}" failed${describeEnd(end)}`);
    }
    const converted = convert(end.result, type);
    return converted.ok
      ? { path, value: converted.value, quality: 'Good', type }
      : bad('BadTypeMismatch', `the result of its read script "${bound.name}": ${converted.reason}`);
  }

  async function prepare({ tag, value, scope }: Parameters<BatchKind['prepare']>[0], view: WriteView) {
    const { path, type, settings } = tag.definition;
    const { writeScript } = bindings.of(settings);
    if (writeScript === undefined) return no('it has no write script, so it cannot be written (BadNotWritable)');
    const converted = convert(value, type);
    if (!converted.ok) return converted;
    const circle = circleOf(writing(path), view);
    if (circle !== null) return no(circle);
    const bound = bindings.script(writeScript);
    if (!bound.ok) return no(bound.reason);
    const end = await view.scripts.run({
      chain: [...view.chain, writing(path)],
      sort: 'tag',
      body: bound.body,
      context: { ...contextOf(path, scope), tagValue: converted.value },
      signal: view.signal,
      calls: (inner) => view.within(writing(path), inner),
    });
    if (end.status !== 'ok') return no(`its write script "${bound.name}" failed${describeEnd(end)}`);
    const written: TagValue = { path, value: converted.value, quality: 'Good', type };
    // The writes of its script are already in the write set; the tag itself stores nothing.
    return { ok: true, write: { before: null, written, apply: nothing, committed: nothing } } satisfies Preparation;
  }

  return {
    kind: 'script',
    mode: 'batch',
    parse,
    stored: (settings) => bindings.stored(settings),
    attach(attached) {
      for (const tag of attached) {
        tags.set(tag.id, tag);
        refresh(tag);
      }
    },
    detach: (tag) => void tags.delete(tag.id),
    erase: () => undefined,
    retype: () => undefined,
    async read(requested, scope, view) {
      // A tag that is requested twice in one call has one value.
      const reads = new Map(requested.map((tag) => [tag, null as Promise<TagValue> | null]));
      for (const tag of reads.keys()) reads.set(tag, readOne(tag, scope, view));
      return Promise.all(requested.map((tag) => reads.get(tag) ?? readOne(tag, scope, view)));
    },
    prepare,
    changesAt: (tag, now) => now + bindings.of(tag.definition.settings).updateMs,
    references: (tag) => referencesOf(bindings.of(tag.definition.settings)),
  };
}

function referencesOf({ readScript, writeScript }: Bindings): Reference[] {
  const references: Reference[] = [];
  if (readScript !== undefined) references.push({ to: 'script', id: readScript, member: 'readScript' });
  if (writeScript !== undefined) references.push({ to: 'script', id: writeScript, member: 'writeScript' });
  return references;
}

function contextOf(tagName: string, { diagram, location }: Scope) {
  return { tagName, tagScopeDiagram: diagram || null, tagScopeLocation: location || null };
}

/** Reports that the tag depends on itself: "A → B → A". */
function circleOf(entry: string, { chain }: ReadView): string | null {
  const first = chain.indexOf(entry);
  return first === -1
    ? null
    : `tags read or write each other in a cycle: ${[...chain.slice(first), entry].join(' → ')}`;
}

function describeEnd({ error }: NestedScriptEnd): string {
  if (error === null) return '';
  return `${error.line === null ? '' : ` in line ${error.line}`}: ${error.message}`;
}
