import type { WriteFailure } from '#domain/tag/tag';
import { callerLine } from './errors.ts';
import { callHost, refusal, scopePart } from './host-call.ts';
import { inspect } from './inspect.ts';
import { MAX_CALL_BYTES } from '../protocol/limits.ts';
import { PrimitiveTypeError, append, hasMember, isArray, sliceText, stringify } from './primordials.ts';
import { NOT_JSON, notJson, toJson } from './to-json.ts';

/** The `TagValueManager` global. */
export function tagValueManager(): object {
  return { Get, Set };
}

function Get(tags: unknown, diagram?: unknown, location?: unknown): object {
  const line = callerLine(Get);
  const scope = scopeJson('Get', diagram, location);
  if (!isArray(tags)) {
    throw new PrimitiveTypeError(`TagValueManager.Get takes an array of tag paths, but got ${shown(tags)}`);
  }
  const count = tags.length;
  let paths: Paths | null = null;
  let text = '[';
  for (let index = 0; index < count; index += 1) {
    const path: unknown = tags[index];
    if (typeof path !== 'string') {
      throw new PrimitiveTypeError(
        `TagValueManager.Get takes an array of tag paths, but tags[${index}] is ${shown(path)}`,
      );
    }
    paths = { path, before: paths };
    text += index === 0 ? stringify(path) : `,${stringify(path)}`;
  }
  return tagResult(paths, callHost('get', line, `${text}],${scope}`));
}

function Set(tags: unknown, diagram?: unknown, location?: unknown): object {
  const line = callerLine(Set);
  const scope = scopeJson('Set', diagram, location);
  if (!isArray(tags)) {
    throw new PrimitiveTypeError(`TagValueManager.Set takes an array of items { tag, value }, but got ${shown(tags)}`);
  }
  let paths: Paths | null = null;
  const failures: WriteFailure[] = [];
  const count = tags.length;
  let text = '[';
  for (let index = 0; index < count; index += 1) {
    const { tag, value } = writeItem(tags[index], index);
    paths = { path: tag, before: paths };
    const json = valueJson(tag, value, index);
    if (typeof json === 'string') text += `${index === 0 ? '' : ','}{"tag":${stringify(tag)},"value":${json}}`;
    else append(failures, json);
  }
  if (failures.length > 0) throw refusal(refusalMessage(failures), failures);
  return tagResult(paths, callHost('set', line, `${text}],${scope}`));
}

function writeItem(item: unknown, index: number): { tag: string; value: unknown } {
  if (typeof item !== 'object' || item === null) {
    throw new PrimitiveTypeError(
      `TagValueManager.Set takes an array of items { tag, value }, but tags[${index}] is ${shown(item)}`,
    );
  }
  const members = item as { tag?: unknown; Tag?: unknown; value?: unknown; Value?: unknown };
  const tag = hasMember(item, 'tag') ? members.tag : hasMember(item, 'Tag') ? members.Tag : undefined;
  if (typeof tag !== 'string') {
    throw new PrimitiveTypeError(
      `TagValueManager.Set takes items { tag, value }, but the tag of tags[${index}] is ${shown(tag)}`,
    );
  }
  if (hasMember(item, 'value')) return { tag, value: members.value };
  if (hasMember(item, 'Value')) return { tag, value: members.Value };
  throw new PrimitiveTypeError(
    `TagValueManager.Set takes items { tag, value }, but tags[${index}] (${shortened(tag)}) has no value`,
  );
}

/** The value as JSON text, or why it cannot be written. */
function valueJson(tag: string, value: unknown, index: number): string | WriteFailure {
  try {
    return toJson(value, {
      subject: 'the value',
      maxLength: MAX_CALL_BYTES,
      tooLong: `the value exceeds ${MAX_CALL_BYTES / 1024 / 1024} MB`,
      lost: (place, what) => notJson(`${place} is ${what}, which a tag cannot store`),
    });
  } catch (thrown) {
    if (thrown === NOT_JSON) return { tag, reason: NOT_JSON.message, index };
    throw thrown;
  }
}

function refusalMessage(failures: WriteFailure[]): string {
  const first = failures[0] as WriteFailure;
  const others = failures.length === 1 ? '' : ` (and ${failures.length - 1} more)`;
  return `nothing was written: tags[${first.index}] (${shortened(first.tag)}): ${first.reason}${others}`;
}

function scopeJson(method: string, diagram: unknown, location: unknown): string {
  const first = scopePart(diagram);
  if (first === null) {
    throw new PrimitiveTypeError(
      `TagValueManager.${method}: the Diagram scope is ${shown(diagram)}, not a text or null`,
    );
  }
  const second = scopePart(location);
  if (second === null) {
    throw new PrimitiveTypeError(
      `TagValueManager.${method}: the location scope is ${shown(location)}, not a text or null`,
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

/** The columns of a response as a result; `paths` are the requested paths. */
function tagResult(paths: Paths | null, response: unknown): TagValueResult {
  const { values, qualities, types } = response as { values: unknown[]; qualities: string[]; types: string[] };
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
  return new Result(success, items);
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

  // So that the objects look plain when printed: the bundler named their class.
  (Item.prototype as { constructor?: unknown }).constructor = undefined;
  (Result.prototype as { constructor?: unknown }).constructor = undefined;
  return { Item, Result };
}
