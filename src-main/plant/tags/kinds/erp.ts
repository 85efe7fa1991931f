import { z } from 'zod';
import { recordOf } from '#domain/tag/erp';
import type { Json, JsonObject } from '#domain/text/json';
import { isJsonObject, parseJson } from '#domain/text/json';
import type { Scope } from '#domain/tag/scope';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import type { TagType, TagValue } from '#domain/tag/tag';
import { jsonObject } from '#contract/schemas';
import { grouped } from '#domain/text/grouped';
import type { Clock } from '../../../platform/clock.ts';
import type { ErpOutboxRepository } from '../../../storage/repositories/erp-outbox-repository.ts';
import type { Tag } from '../definitions/tag.ts';
import { ValuesMemory } from '../values/values-memory.ts';
import type { MaybePromise } from '../../../platform/maybe-promise.ts';
import type { CompiledSchema, RecordCheck } from './erp-schema.ts';
import type { ImmediateKind, ParsedSettings, Preparation, ReadView, WriteView } from './kind.ts';
import { parseWith, refused } from './settings.ts';
import { storableValue } from './value-text.ts';

export interface ErpParts {
  outbox: ErpOutboxRepository;
  clock: Clock;
  memory?: ValuesMemory;
  /** Maximum number of records in the outbox; the default of the setting `limits.erpRecords` unless given. */
  erpRecords?: () => number;
}

/** What compiles schemas; null until it is loaded: it is as large as a third of the composition root. */
let compiler: typeof import('./erp-schema.ts') | null = null;

/** Definitions of ERP tags with a schema can be checked only after that. */
export async function loadSchemaCompiler(): Promise<void> {
  compiler ??= await import('./erp-schema.ts');
}

function compileSchema(given: JsonObject): CompiledSchema {
  if (compiler === null) throw new Error('the compiler of schemas was not loaded');
  return compiler.compileSchema(given);
}

const schema = z.strictObject({ schema: jsonObject.exactOptional() });

/** There is one value per tag: scopes are recorded with a record and have no other effect. */
const SLOT = '';

interface ErpState {
  last: TagValue;
  /** Created at the first write; null if the tag has no schema. */
  check: RecordCheck | null | undefined;
}

/**
 * ERP tags append every written record to the outbox, after validation with the tag's JSON Schema if it has one; a read
 * returns the record that was sent last.
 */
export function erpKind({
  outbox,
  clock,
  memory = new ValuesMemory(),
  erpRecords = () => DEFAULT_SETTINGS['limits.erpRecords'],
}: ErpParts): ImmediateKind {
  const states = new Map<number, ErpState>();
  /** The Sets for which the outbox had room: it is not asked again for each of their items. */
  const roomy = new WeakSet<WriteView['pending']>();

  function stateOf(tag: Tag): ErpState {
    const state = states.get(tag.id);
    if (!state) throw new Error(`"${tag.path}" was not attached`);
    return state;
  }

  function checkOf(tag: Tag): RecordCheck | null {
    const state = stateOf(tag);
    if (state.check === undefined) state.check = checkFrom(tag);
    return state.check;
  }

  function read(tag: Tag, _scope: Scope, { pending }: ReadView): TagValue {
    const written = pending?.get(tag.id, SLOT);
    return written === undefined ? stateOf(tag).last : valueOf(tag, written);
  }

  function prepare(write: { tag: Tag; value: Json; scope: Scope }, view: WriteView): MaybePromise<Preparation> {
    const isReady = compiler !== null || !hasSchema(write.tag);
    return isReady ? prepareNow(write, view) : loadSchemaCompiler().then(() => prepareNow(write, view));
  }

  function prepareNow({ tag, value, scope }: { tag: Tag; value: Json; scope: Scope }, view: WriteView): Preparation {
    const record = recordOf(value);
    if (typeof record === 'string') return { ok: false, reason: record };
    const storable = storableValue(record, 'Json');
    if (!storable.ok) return storable;
    const problem = checkOf(tag)?.(record, storable.text.length) ?? null;
    if (problem !== null) return { ok: false, reason: problem };
    if (!roomy.has(view.pending)) {
      const most = erpRecords();
      if (outbox.hasAtLeast(most)) return { ok: false, reason: fullOutbox(most) };
      roomy.add(view.pending);
    }
    const before = read(tag, scope, view).value;
    const written = valueOf(tag, storable.value);
    const row = { tagId: tag.id, tagPath: tag.path, record: storable.text, ...scope };
    view.pending.put(tag.id, SLOT, storable.value);
    return {
      ok: true,
      write: {
        before,
        written,
        apply: () => outbox.append({ ...row, sentAt: clock.iso() }),
        stored: () => ({ to: 'erp', row: { ...row, sentAt: clock.iso() } }),
        committed() {
          const state = states.get(tag.id);
          if (!state) return;
          memory.changed(state.last.value, written.value);
          state.last = written;
        },
        kept: () => ({ slot: SLOT, value: states.get(tag.id)?.last.value }),
      },
    };
  }

  return {
    kind: 'erp',
    mode: 'immediate',
    parse,
    parseStored: (settings, type) => parseShape(settings, type),
    read,
    prepare,
    changesAt: () => Number.POSITIVE_INFINITY,
    changedAt(tag) {
      const sentAt = outbox.lastSentAt(tag.id);
      return sentAt === null ? null : Date.parse(sentAt);
    },
    attach(tags) {
      for (const tag of tags) {
        const text = outbox.last(tag.id);
        const last = valueOf(tag, text === null ? null : parseJson(text));
        memory.changed(states.get(tag.id)?.last.value, last.value);
        states.set(tag.id, { last, check: undefined });
      }
    },
    detach(tag) {
      memory.changed(states.get(tag.id)?.last.value, undefined);
      states.delete(tag.id);
    },
    // Sent records stay in the outbox; they are not values for a tag of another kind.
    erase: (tagId) => outbox.detachTag(tagId),
    retype: () => undefined,
  };
}

function fullOutbox(most: number): string {
  const records = grouped(most);
  return `the ERP outbox has ${records} records, its maximum (setting limits.erpRecords); export and clear old ones, or raise the limit`;
}

function parse(settings: JsonObject, type: TagType): ParsedSettings {
  const parsed = parseShape(settings, type);
  const given = parsed.ok ? parsed.settings['schema'] : undefined;
  if (!isJsonObject(given)) return parsed;
  const compiled = compileSchema(given);
  return compiled.ok ? parsed : compiled;
}

function parseShape(settings: JsonObject, type: TagType): ParsedSettings {
  if (type !== 'Json') {
    return { ok: false, issues: [{ path: ['type'], message: 'an ERP tag has records: its type is Json' }] };
  }
  const given = settings['schema'];
  if (given !== undefined && !isJsonObject(given)) return refused('write a JSON Schema, an object', 'schema');
  return parseWith(schema, settings);
}

const hasSchema = ({ definition }: Tag): boolean => definition.settings['schema'] !== undefined;

function checkFrom({ definition }: Tag): RecordCheck | null {
  const given = definition.settings['schema'];
  if (!isJsonObject(given)) return null;
  const compiled = compileSchema(given);
  if (compiled.ok) return compiled.check;
  const [issue] = compiled.issues;
  return () =>
    `its schema is invalid, save the tag again: ${issue?.path.slice(1).join('.') ?? ''}: ${issue?.message ?? ''}`;
}

function valueOf(tag: Tag, value: Json): TagValue {
  const { path, type } = tag.definition;
  if (value !== null) return Object.freeze<TagValue>({ path, value, quality: 'Good', type });
  const reason = 'no record was sent yet, or the outbox was cleared';
  return Object.freeze<TagValue>({ path, value, quality: 'UncertainInitialValue', type, reason });
}
