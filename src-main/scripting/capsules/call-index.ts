import type { ApiArgument, ApiOperation } from '#domain/mock/api-call';
import {
  type Capsule,
  nestedByCall,
  type RecordedApiCall,
  type RecordedCall,
  type RecordedGet,
  type RecordedSet,
} from '#domain/run/capsule';
import type { NestedRun, RunActs } from '#domain/run/run';
import type { Scope } from '#domain/tag/scope';
import type { TagValue, TagWrite } from '#domain/tag/tag';

/** A value that the recorded run read. */
export interface Reading {
  value: TagValue;
  from: RecordedGet;
  /** The nested runs that this reading caused. */
  nested: NestedRun[];
}

/** Recorded items in order. Each is used once. */
class Sequences<Item> {
  readonly #items = new Map<string, Item[]>();
  readonly #used = new Map<string, number>();
  /** Whether the last one is used again when no more are left. */
  repeats = false;

  add(key: string, item: Item): void {
    const items = this.#items.get(key);
    if (items) items.push(item);
    else this.#items.set(key, [item]);
  }

  /** The next one; undefined if there are no more. */
  take(key: string): Item | undefined {
    const used = this.#used.get(key) ?? 0;
    const items = this.#items.get(key);
    const item = items?.[used];
    if (item !== undefined) this.#used.set(key, used + 1);
    return item ?? (this.repeats ? items?.at(-1) : undefined);
  }

  /** The same, without using it. */
  peek(key: string): Item | undefined {
    return this.#items.get(key)?.[this.#used.get(key) ?? 0];
  }

  /** How many there are, used or not. */
  count(key: string): number {
    return this.#items.get(key)?.length ?? 0;
  }
}

/**
 * The recorded calls by what they ask for. A reading is found by its tag and scope, and by how often the run had written the
 * tag before: the first read after a write is the first recorded one after that write, whatever else was read. Sets and API
 * calls are found by their whole content. Of several equal ones, the nth gets the nth.
 */
export class CallIndex {
  readonly #readings = new Sequences<Reading>();
  /** Whole Gets: only Gets that failed or never ended answer as a whole. */
  readonly #gets = new Sequences<RecordedGet>();
  readonly #sets = new Sequences<RecordedSet>();
  readonly #apiCalls = new Sequences<RecordedApiCall>();
  readonly #nested: ReadonlyMap<number, readonly NestedRun[]>;
  /** How often each tag was written: by the replay so far. */
  readonly #writes = new Map<string, number>();
  /** After each recorded call: how often the tags were written that it wrote. */
  readonly #after = new Map<RecordedCall, Map<string, number>>();

  constructor({ calls, report }: Pick<Capsule, 'calls' | 'report'>) {
    this.#nested = nestedByCall(report);
    const writes = new Map<string, number>();
    for (const call of calls) {
      if (call.kind === 'api') {
        this.#apiCalls.add(apiKey(call.operation, call.args), call);
        continue;
      }
      if (call.kind === 'get') this.#addGet(call, writes);
      else this.#sets.add(setKey(call.items, call), call);
      const after = new Map<string, number>();
      for (const path of this.#written(call)) {
        writes.set(path, (writes.get(path) ?? 0) + 1);
        after.set(path, writes.get(path) ?? 0);
      }
      this.#after.set(call, after);
    }
  }

  /** A recorded Get that failed or never ended, if the next equal one is such a Get. */
  failedGet(paths: readonly string[], scope: Scope): RecordedGet | null {
    const get = this.#gets.take(getKey(paths, scope));
    return get && !get.values ? get : null;
  }

  /** The recorded reading of a tag, which is then used. */
  reading(path: string, scope: Scope): Reading | undefined {
    return this.#readings.take(this.#readingKey(path, scope));
  }

  /** The readings of a Get that would be used now; null if it would fail, or one is missing, or caused nested runs. */
  readingsAhead(paths: readonly string[], scope: Scope): Reading[] | null {
    const get = this.#gets.peek(getKey(paths, scope));
    if (get && !get.values) return null;
    const readings: Reading[] = [];
    for (const path of paths) {
      const reading = this.#readings.peek(this.#readingKey(path, scope));
      if (!reading || this.nestedOf(reading.from).length > 0) return null;
      readings.push(reading);
    }
    return readings;
  }

  /** From now on, a call that is made more often than in the recorded run gets its last answer again. */
  repeat(): void {
    for (const answers of [this.#readings, this.#gets, this.#sets, this.#apiCalls]) answers.repeats = true;
  }

  /** How many readings there are of a tag in a scope since its last write. */
  readings(path: string, scope: Scope): number {
    return this.#readings.count(this.#readingKey(path, scope));
  }

  set(items: readonly TagWrite[], scope: Scope): RecordedSet | undefined {
    return this.#sets.take(setKey(items, scope));
  }

  api(operation: ApiOperation, args: readonly ApiArgument[]): RecordedApiCall | undefined {
    return this.#apiCalls.take(apiKey(operation, args));
  }

  /** The one that would be used now. */
  nextApi(operation: ApiOperation, args: readonly ApiArgument[]): RecordedApiCall | undefined {
    return this.#apiCalls.peek(apiKey(operation, args));
  }

  apiCount(operation: ApiOperation, args: readonly ApiArgument[]): number {
    return this.#apiCalls.count(apiKey(operation, args));
  }

  nestedOf(call: RecordedCall): readonly NestedRun[] {
    return this.#nested.get(call.call) ?? [];
  }

  /** The replay made this recorded call: what it wrote is written. */
  made(call: RecordedCall): void {
    for (const [path, count] of this.#after.get(call) ?? []) this.#writes.set(path, count);
  }

  #readingKey(path: string, { diagram, location }: Scope): string {
    return JSON.stringify([this.#writes.get(path) ?? 0, path, diagram, location]);
  }

  #addGet(call: RecordedGet, writes: ReadonlyMap<string, number>): void {
    const paths = call.values?.map(({ path }) => path) ?? call.paths ?? [];
    this.#gets.add(getKey(paths, call), call);
    const byTag = Map.groupBy(this.nestedOf(call), causeOf);
    for (const value of call.values ?? []) {
      const { path } = value;
      const key = JSON.stringify([writes.get(path) ?? 0, path, call.diagram, call.location]);
      this.#readings.add(key, { value, from: call, nested: byTag.get(path) ?? [] });
      // A tag that a Get names twice runs its script once.
      byTag.delete(path);
    }
  }

  /** All tags that a call wrote, also by the scripts of tags. */
  #written(call: RecordedCall): string[] {
    const own = call.kind === 'set' && call.written ? call.written.map(({ path }) => path) : [];
    return [...own, ...this.nestedOf(call).flatMap(writtenBy)];
  }
}

/** The tag of a call that caused a nested run. */
const causeOf = ({ through, tag }: NestedRun): string => through[0] ?? tag;

function writtenBy({ writes, nested = [] }: RunActs): string[] {
  return [...writes.map(({ path }) => path), ...nested.flatMap(writtenBy)];
}

const getKey = (paths: readonly string[], { diagram, location }: Scope): string =>
  JSON.stringify([paths, diagram, location]);
const setKey = (items: readonly TagWrite[], { diagram, location }: Scope): string =>
  JSON.stringify([items.map(({ tag, value, unfit }) => [tag, value, unfit ?? null]), diagram, location]);
const apiKey = (operation: ApiOperation, args: readonly ApiArgument[]): string => {
  // Omitted arguments and null are the same.
  const last = args.findLastIndex((argument) => argument !== null);
  return JSON.stringify([operation, args.slice(0, last + 1)]);
};
