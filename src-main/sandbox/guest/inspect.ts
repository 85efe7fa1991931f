declare function require(id: 'object-inspect'): typeof import('object-inspect');

const OPTIONS = { depth: 4, maxStringLength: 10_000 };
let formatter: typeof import('object-inspect') | null = null;

/**
 * A value as a person wants to read it. Never throws: getters and proxies of the value may.
 * The formatter is loaded at its first use, since most runs print no object and every run has a fresh realm.
 */
export function inspect(value: unknown): string {
  try {
    formatter ??= require('object-inspect');
    return formatter(value, OPTIONS);
  } catch {
    return '[a value that cannot be shown]';
  }
}
