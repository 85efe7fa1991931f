import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type EnvironmentOptions, type UserConfig } from 'vite';
import { builtinModules } from './src-main/platform/build/builtin-modules.ts';
import { PROGRAMS } from './src-main/platform/files/programs.ts';
import { withoutBodyParser } from './src-main/events/api/without-body-parser.ts';
import { typescriptClient } from './src-main/events/api/reference/typescript-client.ts';
import { guestSource } from './src-main/scripting/sandbox/build/guest-source.ts';
import { hosts } from './src-main/scripting/sandbox/build/script-host.ts';
import { compressFiles } from './src-renderer/build/compress-files.ts';
import { manual } from './src-renderer/build/manual.ts';
import { preloadEditor } from './src-renderer/build/preload-editor.ts';
import { procedureKinds } from './src-renderer/build/procedure-kinds.ts';
import { scriptTypes } from './src-renderer/build/script-types.ts';

const at = (path: string) => resolve(import.meta.dirname, path);

/**
 * A process keeps the text of its modules, with one byte for each character if the text has no other characters. Names
 * and lines stay, for stacks.
 */
const SMALL_IN_MEMORY = {
  comments: { legal: true, annotation: false, jsdoc: false },
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
} as const;

/** Packages that only declare, although they don't say so: their parts that nobody uses are not built in. */
const WITHOUT_EFFECTS = /\/node_modules\/numfmt\//;
const treeshake = { moduleSideEffects: [{ test: WITHOUT_EFFECTS, sideEffects: false }] };

/** A part that runs in Node or Electron, with every package that it imports, except these two. */
const forNode = (outDir: string, format: 'es' | 'cjs', input: Record<string, string>): EnvironmentOptions => ({
  resolve: { noExternal: true },
  build: {
    outDir: at(outDir),
    assetsDir: 'chunks',
    copyPublicDir: false,
    rolldownOptions: {
      input,
      treeshake,
      output: { format, ...SMALL_IN_MEMORY },
      external: ['better-sqlite3', 'electron'],
    },
  },
});

/**
 * What several parts of the page use is one chunk: a window would load 60 small ones, each with a request of its own. The
 * editors, the plot and the manual stay apart, because most windows don't need them.
 */
const SHARED = {
  name: 'shared',
  minShareCount: 2,
  test: (id: string) =>
    !/\/node_modules\/(?:monaco-editor|@codemirror|@lezer|uplot)\/|\/features\/scripts\/|\.md$/.test(id),
};

/** React Compiler compiles components, so that a render repeats only what depends on a change. It takes texts for code. */
const NOT_COMPILED = [/\/node_modules\//, /\/resources\//];

/** Programs of threads and processes of main; `hosts` builds the one that runs SQL. */
const programs = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(PROGRAMS)
      .filter(([name]) => name !== 'plant-host')
      .map(([name, source]) => [name, at(`src-main/${source}`)]),
  );

const config: UserConfig = {
  root: at('src-renderer'),
  plugins: [
    react({ compiler: true, exclude: NOT_COMPILED }),
    preloadEditor(),
    procedureKinds(),
    manual(),
    compressFiles(),
    builtinModules(),
    withoutBodyParser(),
    typescriptClient(import.meta.dirname),
    guestSource(),
    hosts(),
  ],
  worker: { format: 'es', plugins: () => [scriptTypes()] },
  build: { target: 'esnext', emptyOutDir: true, reportCompressedSize: false },
  builder: {},
  environments: {
    client: {
      build: {
        outDir: at('out/renderer'),
        modulePreload: { polyfill: false },
        rolldownOptions: { treeshake, output: { codeSplitting: { groups: [SHARED] } } },
      },
    },
    main: forNode('out/main', 'es', {
      desktop: at('src-main/desktop.ts'),
      headless: at('src-main/headless.ts'),
      help: at('src-main/cli/help.ts'),
      ...programs(),
    }),
    preload: forNode('out/preload', 'cjs', { index: at('src-preload/index.ts') }),
  },
};

/** The page, main and the preload: `vite build` builds each of these environments into its folder of `out`. */
export default defineConfig(({ command }) => {
  // What is built is for users, even if a test builds it, whose NODE_ENV is `test`.
  if (command === 'build') process.env['NODE_ENV'] = 'production';
  return config;
});
