import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';
import { ResolverFactory } from 'oxc-resolver';
import { beforeAll, describe, expect, test } from 'vitest';
import { ALLOWED_IMPORTS, ALLOWED_PACKAGES } from './allowed-imports.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const SOURCES = ['src-main', 'src-preload', 'src-renderer'];
const FEATURES = 'src-renderer/features/';

interface Import {
  from: string;
  to: string;
  /** The name of the imported package, or null if the import is not a package. */
  package: string | null;
}

function within(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}/`);
}

/** The longest entry of the table that contains the file. */
function folderOf(file: string): string | undefined {
  return Object.keys(ALLOWED_IMPORTS)
    .filter((folder) => within(file, folder))
    .toSorted((a, b) => b.length - a.length)[0];
}

function packageOf(path: string): string | null {
  const inside = path.split('node_modules/').at(-1);
  if (inside === undefined || inside === path) return null;
  const [first, second] = inside.split('/');
  return first?.startsWith('@') ? `${first}/${second}` : (first ?? null);
}

/** The wing of main that contains the file; entries are separate wings. Null outside main. */
function wingOf(file: string): string | null {
  return file.startsWith('src-main/') ? (file.split('/')[1] ?? null) : null;
}

/** The feature that contains the file, or null. */
function featureOf(file: string): string | null {
  return file.startsWith(FEATURES) ? (file.slice(FEATURES.length).split('/')[0] ?? null) : null;
}

const resolver = new ResolverFactory({
  conditionNames: ['import', 'types', 'node', 'default'],
  extensions: ['.ts', '.tsx', '.js', '.d.ts', '.json'],
});

/** All imports and exports of a file, including types and dynamic imports. */
function specifiersOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const { module, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} could not be parsed: ${errors[0]?.message}`);
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
    ...[...text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g)].map(([, specifier = '']) => specifier),
  ].filter((specifier) => !/^(?:node|virtual):|\?/.test(specifier));
}

function importsOf(folders: string[]): { files: string[]; imports: Import[]; unresolved: string[] } {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT }));
  const unresolved: string[] = [];
  const imports = files.flatMap((from) =>
    [...new Set(specifiersOf(from))].flatMap((specifier): Import[] => {
      const { path } = resolver.sync(dirname(join(ROOT, from)), specifier);
      if (path === undefined) {
        // Packages that only Electron or type packages provide.
        if (specifier.startsWith('.') || specifier.startsWith('#')) unresolved.push(`${from} -> ${specifier}`);
        return [{ from, to: specifier, package: packageOf(`node_modules/${specifier}`) }];
      }
      const to = relative(ROOT, path);
      return [{ from, to, package: packageOf(to) }];
    }),
  );
  return { files, imports, unresolved };
}

describe('import directions', () => {
  let seen: ReturnType<typeof importsOf>;
  beforeAll(() => {
    seen = importsOf(SOURCES);
  });

  test('sources are found: every folder has files, and their imports are resolved', () => {
    for (const folder of SOURCES) expect(seen.files.filter((file) => within(file, folder))).not.toHaveLength(0);
    expect(seen.imports.length).toBeGreaterThan(seen.files.length);
    expect(seen.imports.some(({ to }) => to === 'src-preload/domain/tag/tag.ts')).toBe(true);
    expect(seen.unresolved).toEqual([]);
  });

  test('every file belongs to a folder of the table', () => {
    const strays = seen.files.filter((file) => /\.tsx?$/.test(file) && folderOf(file) === undefined);
    expect(strays).toEqual([]);
  });

  test('folders import only what the table allows', () => {
    const refused = seen.imports.filter(({ from, to }) => {
      const source = folderOf(from);
      if (
        source === undefined ||
        folderOf(to) === source ||
        !SOURCES.concat('resources').some((top) => within(to, top))
      ) {
        return false;
      }
      return !(ALLOWED_IMPORTS[source] ?? []).some((allowed) => within(to, allowed));
    });
    expect(refused.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  test('no two wings of main import each other, directly or indirectly', () => {
    const wings = new Map<string, Set<string>>();
    for (const { from, to } of seen.imports) {
      const [source, target] = [wingOf(from), wingOf(to)];
      if (source === null || target === null || source === target) continue;
      wings.set(source, (wings.get(source) ?? new Set()).add(target));
    }
    const reaches = (from: string, seenBefore = new Set<string>()): Set<string> => {
      for (const next of wings.get(from) ?? []) {
        if (!seenBefore.has(next)) reaches(next, seenBefore.add(next));
      }
      return seenBefore;
    };
    expect(wings.get('storage')).toEqual(new Set(['platform']));
    expect([...wings.keys()].filter((wing) => reaches(wing).has(wing))).toEqual([]);
  });

  test('features never import each other', () => {
    const refused = seen.imports.filter(({ from, to }) => {
      const [source, target] = [featureOf(from), featureOf(to)];
      return source !== null && target !== null && source !== target;
    });
    expect(refused.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  test('packages are imported only where the table allows', () => {
    const refused = seen.imports.filter(({ from, package: name }) => {
      const allowed = name === null ? undefined : ALLOWED_PACKAGES[name.replace(/^@types\//, '')];
      return allowed !== undefined && !allowed.some((folder) => within(from, folder));
    });
    expect(refused.map(({ from, package: name }) => `${from} -> ${name}`)).toEqual([]);
  });
});
