import { resolve } from 'node:path';
import { cruise } from 'dependency-cruiser';
import { beforeAll, describe, expect, test } from 'vitest';
import { ALLOWED_IMPORTS, ALLOWED_PACKAGES } from './allowed-imports.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const SOURCES = ['src-main', 'src-preload', 'src-renderer'];
const FEATURES = 'src-renderer/features/';

interface Import {
  from: string;
  to: string;
  /** The package's name when what is imported is one, else null. */
  package: string | null;
}

function within(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}/`);
}

/** The longest entry of the table that holds the file. */
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

/** The wing of main that holds the file; entries are wings of their own. Null outside of main. */
function wingOf(file: string): string | null {
  return file.startsWith('src-main/') ? (file.split('/')[1] ?? null) : null;
}

/** The feature that holds the file, or null. */
function featureOf(file: string): string | null {
  return file.startsWith(FEATURES) ? (file.slice(FEATURES.length).split('/')[0] ?? null) : null;
}

async function importsOf(folders: string[]): Promise<{ files: string[]; imports: Import[]; unresolved: string[] }> {
  const result = await cruise(folders, {
    baseDir: ROOT,
    doNotFollow: { path: 'node_modules' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.d.ts', '.json'],
    },
  });
  if (typeof result.output === 'string') throw new Error(`a report in place of the modules: ${result.output}`);
  const { modules } = result.output;
  const own = modules.filter((module) => folders.some((folder) => within(module.source, folder)));
  const edges = own.flatMap((module) => module.dependencies.map((dependency) => ({ module, dependency })));
  return {
    files: own.map((module) => module.source),
    imports: edges.map(({ module, dependency }) => ({
      from: module.source,
      to: dependency.resolved,
      package: packageOf(dependency.resolved),
    })),
    unresolved: edges
      .filter(({ dependency }) => dependency.couldNotResolve && !/^virtual:|\?/.test(dependency.module))
      .map(({ module, dependency }) => `${module.source} -> ${dependency.module}`),
  };
}

describe('import directions', () => {
  let seen: Awaited<ReturnType<typeof importsOf>>;
  beforeAll(async () => {
    seen = await importsOf(SOURCES);
  });

  test('the sources were read: every folder has files, and their imports were resolved', () => {
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

  test('no two wings of main import each other, directly or through others', () => {
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
