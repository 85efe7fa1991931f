import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type EnvironmentOptions, type UserConfig } from 'vite';
import { guestSource } from './src-main/scripting/sandbox/build/guest-source.ts';
import { hosts } from './src-main/scripting/sandbox/build/script-host.ts';
import { compressFiles } from './src-renderer/build/compress-files.ts';
import { manual } from './src-renderer/build/manual.ts';
import { preloadEditor } from './src-renderer/build/preload-editor.ts';
import { procedureKinds } from './src-renderer/build/procedure-kinds.ts';

const at = (path: string) => resolve(import.meta.dirname, path);

/** A part that runs in Node or Electron, with every package that it imports, except these two. */
const forNode = (outDir: string, format: 'es' | 'cjs', input: Record<string, string>): EnvironmentOptions => ({
  resolve: { noExternal: true },
  build: {
    outDir: at(outDir),
    assetsDir: 'chunks',
    copyPublicDir: false,
    rolldownOptions: { input, output: { format }, external: ['better-sqlite3', 'electron'] },
  },
});

const config: UserConfig = {
  root: at('src-renderer'),
  plugins: [react(), preloadEditor(), procedureKinds(), manual(), compressFiles(), guestSource(), hosts()],
  worker: { format: 'es' },
  build: { target: 'esnext', emptyOutDir: true, reportCompressedSize: false },
  builder: {},
  environments: {
    client: { build: { outDir: at('out/renderer'), modulePreload: { polyfill: false } } },
    main: forNode('out/main', 'es', {
      desktop: at('src-main/desktop.ts'),
      headless: at('src-main/headless.ts'),
      'yaml-reader': at('src-main/outbound/mocks/yaml-reader.ts'),
      'pattern-thread': at('src-main/scripting/search/pattern-thread.ts'),
      examination: at('src-main/storage/workspace/examination/child.ts'),
      'workspace-copy': at('src-main/storage/workspace/copy/child.ts'),
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
