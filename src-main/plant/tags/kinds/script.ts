import { z } from 'zod';
import { convert } from '#domain/tag/convert';
import type { JsonObject } from '#domain/text/json';
import type { Quality } from '#domain/tag/quality';
import type { Scope } from '#domain/tag/scope';
import type { TagValue } from '#domain/tag/tag';
import { QUALITY_OF_RUN } from '../values/run-quality.ts';
import { NESTING_ERROR, type NestedScriptEnd } from '#domain/run/script-evaluator';
import { PLAIN } from '../../../platform/plain-words.ts';
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
const script = z
  .union([z.string(), z.strictObject({ id: z.int().positive() }), z.strictObject({ name: z.string() })])
  .nullish();
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
    const parsed = schema.safeParse(settings, PLAIN);
    if (!parsed.success) return { ok: false, issues: issuesOf(parsed.error) };
    const { readScript, writeScript, updateMs } = parsed.data;
    const found: Partial<Bindings> = {};
    for (const [member, given] of Object.entries({ readScript, writeScript })) {
      if (given === null || given === undefined || given === '') continue;
      const bound = bindings.find(given);
      if (!bound.ok) return refused(bound.reason, member);
      found[member === 'readScript' ? 'readScript' : 'writeScript'] = bound.key;
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
    const closed = view.closesCycle(path);
    if (closed !== null) return bad('BadConfigurationError', inCycle(closed));
    let own = null as ReadView | null;
    const bound = bindings.script(readScript);
    if (!bound.ok) return bad('BadConfigurationError', bound.reason);
    const end = await view.scripts.run({
      chain: [...view.chain, path],
      sort: 'tag',
      body: bound.body,
      context: contextOf(path, scope),
      origin: { script: bound.script, cause: view.cause },
      signal: view.signal,
      calls: (inner) => (own = view.within(path, inner)),
    });
    // Its script may have ignored it, so that a result would mean nothing.
    const cycle = own?.cycle ?? null;
    if (cycle !== null) return bad('BadConfigurationError', inCycle(cycle));
    if (end.status !== 'ok') {
      return bad(QUALITY_OF_RUN[end.status], describeEnd(end, 'read', bound.name, path));
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
    const cycle = view.closesCycle(writing(path));
    if (cycle !== null) return no(inCycle(cycle));
    const bound = bindings.script(writeScript);
    if (!bound.ok) return no(bound.reason);
    const end = await view.scripts.run({
      chain: [...view.chain, writing(path)],
      sort: 'tag',
      body: bound.body,
      context: { ...contextOf(path, scope), tagValue: converted.value },
      origin: { script: bound.script, cause: view.cause },
      signal: view.signal,
      calls: (inner) => view.within(writing(path), inner),
    });
    if (end.status !== 'ok') return no(describeEnd(end, 'write', bound.name, path));
    const written: TagValue = { path, value: converted.value, quality: 'Good', type };
    // The writes of its script are already in the write set; the tag itself stores nothing.
    return {
      ok: true,
      write: { before: undefined, written, apply: nothing, committed: nothing },
    } satisfies Preparation;
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
    references: (tag) => referencesOf(bindings, tag.definition.settings),
    keepMissing: (settings) => ({
      ...settings,
      ...keptName(settings, 'readScript'),
      ...keptName(settings, 'writeScript'),
    }),
  };
}

function* referencesOf(bindings: ScriptBindings, settings: JsonObject): Generator<Reference> {
  const bound = bindings.of(settings);
  for (const member of ['readScript', 'writeScript'] as const) {
    const key = bound[member];
    if (key === undefined) continue;
    const { ok, id, name } = bindings.script(key);
    yield { to: 'script', id, name, exists: ok, member };
  }
}

/** The setting with a name that need not be that of a script; {} if it has no name. */
function keptName(settings: JsonObject, member: 'readScript' | 'writeScript'): JsonObject {
  const name = settings[member];
  return typeof name === 'string' && name !== '' ? { [member]: { name } } : {};
}

function contextOf(tagName: string, { diagram, location }: Scope) {
  return { tagName, tagScopeDiagram: diagram || null, tagScopeLocation: location || null };
}

const inCycle = (cycle: string): string => `tags read or write each other in a cycle: ${cycle}`;

/**
 * Why the script of a tag failed. If another tag caused that, its reason comes first, and the scripts on the way follow:
 * nested messages would hide the cause.
 */
function describeEnd({ error }: NestedScriptEnd, access: 'read' | 'write', label: string, tag: string): string {
  if (error === null) return `its ${access} script "${label}" failed`;
  const { line, message, name, failures = [] } = error;
  if (name === NESTING_ERROR) return message;
  const [first] = failures;
  if (!first) return `its ${access} script "${label}" failed${line === null ? '' : ` in line ${line}`}: ${message}`;
  const cause = first.reason.includes(first.tag) ? first.reason : `"${first.tag}": ${first.reason}`;
  const others = failures.length > 1 ? ` (and ${failures.length - 1} more)` : '';
  return `${cause}${others}, from ${line === null ? '' : `line ${line} of `}the ${access} script "${label}" of ${tag}`;
}
