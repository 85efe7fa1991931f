import type { Plugin } from 'vite';

/** An import of a module of Node, on a line of its own, as Rolldown writes it: `import a, { b as c } from "node:d";`. */
const IMPORT = /^import (?:([\w$]+)(?:, )?)?(?:\{([^}]*)\})? ?from "(node:[^"]+)";$/gm;

/**
 * Replaces imports of Node's modules by `process.getBuiltinModule`: an import statement reads every export of the
 * module once, including members that Node loads on first use. For `node:http` that is the whole of Node's undici, 22 ms of
 * each start.
 */
export function builtinModules(): Plugin {
  return {
    name: 'tagwright:builtin-modules',
    applyToEnvironment: ({ name }) => name === 'main',
    apply: 'build',
    renderChunk: (code) => ({ code: withoutImports(code), map: null }),
  };
}

/** The text of a bundled module without imports of Node's modules. */
export function withoutImports(code: string): string {
  return code.replaceAll(IMPORT, (_line, whole: string | undefined, names: string | undefined, id: string) => {
    // A module may have its own `process`.
    const module = `globalThis.process.getBuiltinModule(${JSON.stringify(id)})`;
    const constants = whole === undefined ? [] : [`const ${whole} = ${module};`];
    if (names !== undefined) constants.push(`const {${names.replaceAll(' as ', ': ')}} = ${module};`);
    return constants.join(' ');
  });
}
