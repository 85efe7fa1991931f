import type { TagFixture } from '#domain/run/script-test';
import type { Scope } from '#domain/tag/scope';
import type { TagValue, TagWrite } from '#domain/tag/tag';
import type { MaybePromise } from '../../platform/maybe-promise.ts';
import type { TagCalls } from '#domain/run/script-evaluator';

/** A fixture that cannot be set by a write, such as the value of a calculation, or a bad quality. */
export interface FixedValue extends TagFixture {
  type: TagValue['type'];
}

/**
 * The tags with the values that a test fixes: a fixed tag returns its given value until the script writes it, and
 * neither runs a script nor reads a source. A tag that is fixed without a Diagram or location has the same value in all
 * of them.
 */
export class FixedTags implements TagCalls {
  readonly #inner: TagCalls;
  readonly #fixed: Map<string, FixedValue[]>;

  constructor(inner: TagCalls, fixed: readonly FixedValue[]) {
    this.#inner = inner;
    this.#fixed = Map.groupBy(fixed, ({ tag }) => tag);
  }

  get(paths: readonly string[], scope: Scope): MaybePromise<TagValue[]> {
    const given = paths.map((path) => this.#at(path, scope));
    if (given.every((value) => value === null)) return this.#inner.get(paths, scope);
    const others = paths.filter((_, index) => given[index] === null);
    const joined = (values: TagValue[]): TagValue[] => {
      let next = 0;
      return given.flatMap((value) => value ?? values[next++] ?? []);
    };
    const read = this.#inner.get(others, scope);
    return read instanceof Promise ? read.then(joined) : joined(read);
  }

  async set(items: readonly TagWrite[], scope: Scope): Promise<Awaited<ReturnType<TagCalls['set']>>> {
    const written = await this.#inner.set(items, scope);
    for (const { tag } of items) this.#fixed.delete(tag);
    return written;
  }

  #at(path: string, scope: Scope): TagValue | null {
    const values = this.#fixed.get(path);
    if (!values) return null;
    const at = (diagram: string, location: string) =>
      values.find((value) => value.diagram === diagram && value.location === location);
    const found = at(scope.diagram, scope.location) ?? at(scope.diagram, '') ?? at('', scope.location) ?? at('', '');
    if (!found) return null;
    const reason = found.quality.startsWith('Good') ? null : 'the test fixes this quality';
    return { path, value: found.value, quality: found.quality, type: found.type, ...(reason !== null && { reason }) };
  }
}
