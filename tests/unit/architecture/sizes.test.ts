import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';
import { ResolverFactory } from 'oxc-resolver';
import { beforeAll, describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../..');
const SOURCES = '{src-main,src-preload,src-renderer}/**/*.{ts,tsx,css}';
const TESTS = 'tests/**/*.{ts,tsx}';
const MANUAL = 'docs/**/*.*';

const MAX_LINES = 450;
const MAX_FILES = 20;
/**
 * A file of at most this many lines is a shard if another file in its folder is all that imports it, and no test does: it
 * belongs into that file. Migrations are files by themselves.
 */
const SHARD_LINES = 45;
const MAX_SHARDS = 30;
const MAX_REPEATED_TYPES = 20;

interface SourceFile {
  path: string;
  lines: number;
  /** The source files that it imports, types and dynamic imports included. */
  imports: string[];
  /** The types that it declares, exported or not, at its top level. Empty for a test. */
  types: string[];
}

const resolver = new ResolverFactory({
  conditionNames: ['import', 'types', 'node', 'default'],
  extensions: ['.ts', '.tsx', '.js', '.d.ts', '.json'],
});

function linesOf(path: string): number {
  return readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1;
}

function read(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const lines = linesOf(path);
  if (path.endsWith('.css')) return { path, lines, imports: [], types: [] };
  const parsed = parseSync(path, text);
  const { module, errors } = parsed;
  if (errors.length > 0) throw new Error(`${path} could not be parsed: ${errors[0]?.message}`);
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
    ...[...text.matchAll(/\b(?:import|URL)\(\s*'([^']+)'/g)].map(([, specifier = '']) => specifier),
  ].filter((specifier) => /^[.#]/.test(specifier));
  // Reading the syntax tree takes most of the time.
  const body = path.startsWith('tests/') ? [] : parsed.program.body;
  const types = body.flatMap((statement) => {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declared?.type === 'TSInterfaceDeclaration' || declared?.type === 'TSTypeAliasDeclaration') {
      return [declared.id.name];
    }
    return declared?.type === 'ClassDeclaration' && declared.id !== null ? [declared.id.name] : [];
  });
  return {
    path,
    lines,
    imports: [...new Set(specifiers)].flatMap((specifier) => {
      const found = resolver.sync(dirname(join(ROOT, path)), specifier).path;
      return found === undefined ? [] : [relative(ROOT, found)];
    }),
    types: [...new Set(types)],
  };
}

function find(pattern: string): string[] {
  return globSync(pattern, { cwd: ROOT }).toSorted();
}

/** The folders with more files side by side than allowed, with their number of files. */
function crowded(files: string[]): Record<string, number> {
  const sizes = Map.groupBy(files, (file) => dirname(file));
  return Object.fromEntries(
    [...sizes].filter(([, inside]) => inside.length > MAX_FILES).map(([folder, inside]) => [folder, inside.length]),
  );
}

describe('sizes', () => {
  let sources: SourceFile[];
  let tests: string[];
  beforeAll(() => {
    sources = find(SOURCES).map(read);
    tests = find(TESTS).filter((file) => !/^tests\/(?:artifacts|fixtures)\/|node_modules/.test(file));
  });

  test('no file is longer than 450 lines', () => {
    const sized = [...sources, ...tests.map((path) => ({ path, lines: linesOf(path) }))];
    expect(sized.filter(({ lines }) => lines > MAX_LINES).map(({ path, lines }) => `${path}: ${lines}`)).toEqual([]);
  });

  test('no folder has more than 20 files', () => {
    const manual = find(MANUAL);
    expect(manual.length).toBeGreaterThan(50);
    expect(crowded([...sources.map(({ path }) => path), ...tests, ...manual])).toEqual({});
  });

  test('fewer than 30 files are shards of their only importer', () => {
    const importers = new Map<string, string[]>();
    for (const { path, imports } of [...sources, ...tests.map(read)]) {
      for (const imported of imports) importers.set(imported, [...(importers.get(imported) ?? []), path]);
    }
    const shards = sources.filter(({ path, lines }) => {
      const [importer, ...others] = importers.get(path) ?? [];
      const isShard = importer !== undefined && others.length === 0 && dirname(importer) === dirname(path);
      return isShard && lines <= SHARD_LINES && !path.includes('/migrations/');
    });
    expect(shards.length, shards.map(({ path }) => path).join('\n')).toBeLessThan(MAX_SHARDS);
  });

  test('fewer than 20 names of types are declared in several files', () => {
    const files = Map.groupBy(
      // Props are the parameters of the component in the same file.
      sources.flatMap(({ path, types }) => types.filter((name) => name !== 'Props').map((name) => ({ path, name }))),
      ({ name }) => name,
    );
    const repeated = [...files].filter(([, found]) => found.length > 1);
    const shown = repeated.map(([name, found]) => `${name}: ${found.map(({ path }) => path).join(', ')}`);
    expect(repeated.length, shown.join('\n')).toBeLessThan(MAX_REPEATED_TYPES);
  });
});
