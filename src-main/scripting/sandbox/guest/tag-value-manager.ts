import type { WriteFailure } from '#domain/tag/tag';
import {
  callerLine,
  callHost,
  readLine,
  rejectedJson,
  reportAllRejected,
  reportRejected,
  scopePart,
} from './host-call.ts';
import { inspect } from './inspect.ts';
import { MAX_CALL_BYTES, MAX_FAILURES } from '../protocol/limits.ts';
import {
  PrimitiveTypeError,
  append,
  dataMember,
  hasMember,
  isArray,
  own,
  put,
  putHidden,
  sliceText,
  stringify,
} from './primordials.ts';
import { MAX_EXACT, NOT_JSON, notJson, toJson } from './to-json.ts';

/** Characters of the reason why a value cannot be written. */
const MAX_PROBLEM = 2_000;

/** The `TagValueManager` global. */
export function tagValueManager(): object {
  return { Get, Set };
}

function Get(tags: unknown, diagram?: unknown, location?: unknown): object {
  const line = readLine(Get);
  const scope = scopeJson('Get', line, diagram, location);
  if (!isArray(tags)) {
    throw rejected('Get', line, `TagValueManager.Get takes an array of tag paths, but got ${shown(tags)}`);
  }
  const count = tags.length;
  let paths: Paths | null = null;
  let text = '[';
  for (let index = 0; index < count; index += 1) {
    const path: unknown = tags[index];
    if (typeof path !== 'string') {
      const takes = 'TagValueManager.Get takes an array of tag paths';
      throw rejected('Get', line, `${takes}, but tags[${index}] is ${shown(path)}`);
    }
    paths = { path, before: paths };
    text += index === 0 ? stringify(path) : `,${stringify(path)}`;
  }
  return tagResult(paths, callHost('get', line, `${text}],${scope}`));
}

function Set(tags: unknown, diagram?: unknown, location?: unknown): object {
  const line = callerLine(Set);
  const scope = scopeJson('Set', line, diagram, location);
  if (!isArray(tags)) {
    throw rejected('Set', line, `TagValueManager.Set takes an array of items { tag, value }, but got ${shown(tags)}`);
  }
  let paths: Paths | null = null;
  const malformed: WriteFailure[] = [];
  const count = tags.length;
  let text = '[';
  for (let index = 0; index < count && malformed.length < MAX_FAILURES; index += 1) {
    const { tag, value, problem } = writeItem(tags[index], index);
    if (problem !== null) {
      append(malformed, { tag, reason: problem, index });
      continue;
    }
    paths = { path: tag, before: paths };
    text += `${index === 0 ? '' : ','}{"tag":${stringify(tag)},${valueJson(value)}}`;
  }
  if (malformed.length > 0) throw malformedError(malformed, line);
  return tagResult(paths, callHost('set', line, `${text}],${scope}`));
}

interface WriteItem {
  tag: string;
  value: unknown;
  /** Why it is not an item of a Set; null if it is one. */
  problem: string | null;
}

function writeItem(item: unknown, index: number): WriteItem {
  if (typeof item !== 'object' || item === null) {
    const takes = 'TagValueManager.Set takes an array of items { tag, value }';
    return malformedItem('', `${takes}, but tags[${index}] is ${shown(item)}`);
  }
  const members = item as { tag?: unknown; Tag?: unknown; value?: unknown; Value?: unknown };
  const tag = hasMember(item, 'tag') ? members.tag : hasMember(item, 'Tag') ? members.Tag : undefined;
  if (typeof tag !== 'string') {
    const { path, hint } = intended(item, tag);
    const takes = 'TagValueManager.Set takes items { tag, value }';
    return malformedItem(path, `${takes}, but the tag of tags[${index}] is ${shown(tag)}${hint}`);
  }
  if (hasMember(item, 'value')) return { tag, value: members.value, problem: null };
  if (hasMember(item, 'Value')) return { tag, value: members.Value, problem: null };
  const takes = 'TagValueManager.Set takes items { tag, value }';
  return malformedItem(tag, `${takes}, but tags[${index}] (${shortened(tag)}) has no value`);
}

/** The tag that an item without one probably means, and what to write; both '' if that is not known. */
function intended(item: object, tag: unknown): { path: string; hint: string } {
  const element = dataMember(typeof tag === 'object' && tag !== null ? tag : item, 'Path');
  if (typeof element === 'string') return { path: element, hint: '; for an element e of a Get, use tag: e.Path' };
  const path = tag === undefined ? dataMember(item, 'path') : undefined;
  if (typeof path === 'string') return { path, hint: '; name the member tag instead of path' };
  return { path: '', hint: '' };
}

function malformedItem(tag: string, problem: string): WriteItem {
  return { tag, value: undefined, problem };
}

/** The error of a call with an invalid argument, which is in the trace too. */
function rejected(method: 'Get' | 'Set', line: number | null, message: string): Error {
  reportRejected(method === 'Get' ? 'read' : 'write', line, `TagValueManager.${method}`, message);
  return new PrimitiveTypeError(message);
}

function malformedError(failures: WriteFailure[], line: number | null): Error {
  const first = failures[0] as WriteFailure;
  let items = '';
  for (let place = 0; place < failures.length; place += 1) {
    const { tag, reason, index } = failures[place] as WriteFailure;
    items += `${place === 0 ? '' : ','}${rejectedJson(tag === '' ? `tags[${index}]` : tag, reason)}`;
  }
  reportAllRejected('write', line, items);
  const error = new PrimitiveTypeError(
    first.reason + (failures.length === 1 ? '' : ` (and ${failures.length - 1} more)`),
  );
  put(error, 'failures', failures);
  return error;
}

/** The members of an item with its value; one that JSON cannot represent exactly is rejected by main with the others. */
function valueJson(value: unknown): string {
  if (typeof value === 'bigint' && (value > MAX_EXACT || value < -MAX_EXACT)) {
    return `"value":null,"unfit":{"digits":"${value}"}`;
  }
  /** Main adds the type of the tag, which cannot store this. */
  let lost = false;
  try {
    const json = toJson(value, {
      subject: 'the value',
      maxLength: MAX_CALL_BYTES,
      tooLong: `the value exceeds ${MAX_CALL_BYTES / 1024 / 1024} MB`,
      lost(place, what) {
        lost = true;
        notJson(`${place} is ${what}`);
      },
    });
    return `"value":${json}`;
  } catch (thrown) {
    if (thrown !== NOT_JSON) throw thrown;
    return `"value":null,"unfit":{"${lost ? 'lost' : 'problem'}":${stringify(sliceText(NOT_JSON.message, 0, MAX_PROBLEM))}}`;
  }
}

function scopeJson(method: 'Get' | 'Set', line: number | null, diagram: unknown, location: unknown): string {
  const first = scopePart(diagram);
  if (first === null) {
    throw rejected(
      method,
      line,
      `TagValueManager.${method}: the Diagram scope must be a text or null, not ${shown(diagram)}`,
    );
  }
  const second = scopePart(location);
  if (second === null) {
    throw rejected(
      method,
      line,
      `TagValueManager.${method}: the location scope must be a text or null, not ${shown(location)}`,
    );
  }
  return `${first},${second}`;
}

/** The argument that was passed, for a message: its type and, if short, its value. */
function shown(value: unknown): string {
  if (value === undefined || value === null) return `${value}`;
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object') return isArray(value) ? 'an array' : `an object (${shortened(inspect(value))})`;
  return `a ${typeof value === 'string' ? 'text' : typeof value} (${shortened(inspect(value))})`;
}

function shortened(text: string): string {
  return text.length <= 80 ? text : `${sliceText(text, 0, 80)}…`;
}

interface TagValueItem {
  Path: string;
  Value: unknown;
  Quality: string;
  Type: string;
}

interface TagValueResult {
  Success: boolean;
  Value: TagValueItem[];
}

interface Shapes {
  Item: new (path: string, value: unknown, quality: string, type: string) => TagValueItem;
  Result: new (success: boolean, items: TagValueItem[]) => TagValueResult;
}

let shapes: Shapes | null = null;

/** The paths of a call, last one first: unlike the elements of an array, its members are always its own. */
interface Paths {
  path: string;
  before: Paths | null;
}

interface Columns {
  values: unknown[];
  qualities: string[];
  types: string[];
  reasons?: { text: string; at: number[] }[];
}

/** The columns of a response as a result; `paths` are the requested paths. */
function tagResult(paths: Paths | null, response: unknown): TagValueResult {
  const columns = response as Columns;
  const { values, qualities, types } = columns;
  shapes ??= makeShapes();
  const { Item, Result } = shapes;
  // The texts become items in place: elements that exist pass no setter of a prototype, and unlike the values, which may
  // be an array of plain doubles, they are in an array that can hold objects as it is.
  const items = types as unknown[] as TagValueItem[];
  let success = true;
  let next = paths;
  for (let index = values.length - 1; index >= 0 && next !== null; index -= 1, next = next.before) {
    const quality = qualities[index] as string;
    if (isBad(quality)) success = false;
    items[index] = new Item(next.path, values[index], quality, types[index] as string);
  }
  const reasons = own(columns, 'reasons');
  if (reasons !== undefined) addReasons(items, reasons);
  return new Result(success, items);
}

/** Hidden, so that the JSON of an element has the same members for every quality. */
function addReasons(items: TagValueItem[], reasons: Required<Columns>['reasons']): void {
  for (let group = 0; group < reasons.length; group += 1) {
    const { text, at } = reasons[group] as (typeof reasons)[number];
    for (let place = 0; place < at.length; place += 1) {
      const item = items[at[place] as number];
      if (item !== undefined) putHidden(item, 'Reason', text);
    }
  }
}

function isBad(quality: string): boolean {
  return quality[0] === 'B' && quality[1] === 'a' && quality[2] === 'd';
}

/**
 * The classes of results: PascalCase members are an object's own, the camelCase ones are aliases on the prototype.
 * Created at the first result, so that a run without one does not pay for them.
 */
function makeShapes(): Shapes {
  class Item implements TagValueItem {
    Path: string;
    Value: unknown;
    Quality: string;
    Type: string;

    constructor(path: string, value: unknown, quality: string, type: string) {
      this.Path = path;
      this.Value = value;
      this.Quality = quality;
      this.Type = type;
    }

    get path(): string {
      return this.Path;
    }
    set path(path: string) {
      this.Path = path;
    }
    get value(): unknown {
      return this.Value;
    }
    set value(value: unknown) {
      this.Value = value;
    }
    get quality(): string {
      return this.Quality;
    }
    set quality(quality: string) {
      this.Quality = quality;
    }
    get type(): string {
      return this.Type;
    }
    set type(type: string) {
      this.Type = type;
    }
    /** The default of elements without a reason. */
    get Reason(): string | null {
      return this.Quality === 'BadNodeIdUnknown' ? 'the tag does not exist' : null;
    }
    set Reason(reason: string | null) {
      putHidden(this, 'Reason', reason);
    }
    get reason(): string | null {
      return this.Reason;
    }
    set reason(reason: string | null) {
      this.Reason = reason;
    }
  }

  class Result implements TagValueResult {
    Success: boolean;
    Value: TagValueItem[];

    constructor(success: boolean, items: TagValueItem[]) {
      this.Success = success;
      this.Value = items;
    }

    get success(): boolean {
      return this.Success;
    }
    set success(success: boolean) {
      this.Success = success;
    }
    get value(): TagValueItem[] {
      return this.Value;
    }
    set value(items: TagValueItem[]) {
      this.Value = items;
    }
  }

  // The bundler named the class; without the name, objects look plain when printed.
  (Item.prototype as { constructor?: unknown }).constructor = undefined;
  (Result.prototype as { constructor?: unknown }).constructor = undefined;
  return { Item, Result };
}
