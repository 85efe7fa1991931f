import type { HostCalls } from '../sandbox/script-run.ts';

/**
 * The calls of a run, which its host makes one at a time: no Get is sent ahead, so that each has its place among the
 * others. `begin` gets the line of each Get and Set.
 */
export function callsInOrder(given: HostCalls, begin: (line: Parameters<HostCalls['get']>[2]) => void): HostCalls {
  const calls = { ...given };
  delete calls.ahead;
  return {
    ...calls,
    get: (tags, scope, line) => {
      begin(line);
      return calls.get(tags, scope, line);
    },
    set: (items, scope, line) => {
      begin(line);
      return calls.set(items, scope, line);
    },
  };
}
