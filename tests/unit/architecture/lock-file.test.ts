import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

interface Entry {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly gypfile?: boolean;
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Readonly<Record<string, Entry>> };

/** The folders in which Node would look for a package that `from` imports. */
function placesOf(name: string, from: string): readonly string[] {
  const parts = from.split('/node_modules/');
  return parts
    .map((_, index) => `${parts.slice(0, index + 1).join('/node_modules/')}/node_modules/${name}`)
    .concat(`node_modules/${name}`);
}

describe('package-lock.json', () => {
  test('holds the optional packages of every platform, as npm 11 requires', () => {
    const missing = Object.entries(lock.packages).flatMap(([from, entry]) =>
      Object.keys(entry.optionalDependencies ?? {})
        .filter((name) => !placesOf(name, from).some((place) => place in lock.packages))
        .map((name) => `${name} of ${from}`),
    );
    expect(missing).toEqual([]);
  });

  test('marks better-sqlite3 as not compiled; else run resources/bin/complete-lock.mjs', () => {
    expect(lock.packages['node_modules/better-sqlite3']).toMatchObject({ gypfile: false });
  });
});
