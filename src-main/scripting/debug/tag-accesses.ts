import { describeValue } from '#domain/tag/convert';
import type { Quality } from '#domain/tag/quality';
import type { Scope } from '#domain/tag/scope';
import { type Json, lengthOfJson } from '#domain/text/json';
import type { MaybePromise } from '../../platform/maybe-promise.ts';
import type { HostCalls } from '../sandbox/script-run.ts';

/** A read or write of a tag by a debugged run. */
export interface TagAccess {
  access: 'read' | 'write';
  path: string;
  scope: Scope;
  /** The line of the call; null if it is unknown. */
  line: number | null;
  value: Json;
  quality: Quality;
  /** Time of the access, RFC 3339 in UTC. */
  at: string;
}

/** The last accesses of a run, one for each tag, scope, line and sort. */
const MOST = 1_000;
/** Characters of the JSON of a value; longer ones are described. */
const MOST_TEXT = 10_000;

/** The tags that a debugged run has used so far. */
export class TagAccesses {
  readonly #last = new Map<string, TagAccess>();
  #waitsIn: number | null = null;

  /** The line of the call that the run waits for; null if it does not wait, or the line is unknown. */
  get waitsIn(): number | null {
    return this.#waitsIn;
  }

  /** The latest ones last. */
  list(): TagAccess[] {
    return [...this.#last.values()];
  }

  /** The calls of a run, which are noted. Nothing is read ahead: a person may change a tag while the run is paused. */
  observed(calls: HostCalls): HostCalls {
    const observed: HostCalls = {
      ...calls,
      get: async (tags, scope, line) => {
        const columns = await this.#waiting(line, () => calls.get(tags, scope, line));
        this.#note('read', tags, scope, line, columns);
        return columns;
      },
      set: async (items, scope, line) => {
        const columns = await this.#waiting(line, () => calls.set(items, scope, line));
        const paths = items.map(({ tag }) => tag);
        this.#note('write', paths, scope, line, columns);
        return columns;
      },
    };
    delete observed.ahead;
    return observed;
  }

  async #waiting<T>(line: number | null, call: () => MaybePromise<T>): Promise<T> {
    this.#waitsIn = line;
    try {
      return await call();
    } finally {
      this.#waitsIn = null;
    }
  }

  #note(
    access: TagAccess['access'],
    paths: readonly string[],
    scope: Scope,
    line: number | null,
    { values, qualities }: { values: readonly Json[]; qualities: readonly Quality[] },
  ): void {
    const at = new Date().toISOString();
    for (const [index, path] of paths.slice(0, MOST).entries()) {
      const value = shown(values[index] ?? null);
      const key = JSON.stringify([access, path, scope.diagram, scope.location, line]);
      this.#last.delete(key);
      this.#last.set(key, { access, path, scope, line, value, quality: qualities[index] ?? 'Bad', at });
    }
    while (this.#last.size > MOST) {
      const [oldest = ''] = this.#last.keys();
      this.#last.delete(oldest);
    }
  }
}

export const shown = (value: Json): Json => (lengthOfJson(value, MOST_TEXT) > MOST_TEXT ? describeValue(value) : value);
