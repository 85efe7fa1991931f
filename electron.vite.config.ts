import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { guestSource } from './src-main/scripting/sandbox/build/guest-source.ts';
import { hosts } from './src-main/scripting/sandbox/build/script-host.ts';
import { fromTheRoot } from './src-renderer/build/from-the-root.ts';
import { procedureKinds } from './src-renderer/build/procedure-kinds.ts';
import { preloadEditor } from './src-renderer/build/preload-editor.ts';

const at = (path: string) => resolve(import.meta.dirname, path);

export default defineConfig({
  main: {
    plugins: [guestSource(), hosts()],
    build: {
      outDir: 'out/main',
      externalizeDeps: { include: ['better-sqlite3', 'electron'] },
      rollupOptions: {
        input: {
          desktop: at('src-main/desktop.ts'),
          headless: at('src-main/headless.ts'),
          'yaml-reader': at('src-main/outbound/mocks/yaml-reader.ts'),
          examination: at('src-main/storage/workspace/examination/child.ts'),
          'workspace-copy': at('src-main/storage/workspace/copy/child.ts'),
        },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      rollupOptions: { input: at('src-preload/index.ts'), output: { format: 'cjs', entryFileNames: 'index.cjs' } },
    },
  },
  renderer: {
    root: 'src-renderer',
    plugins: [react(), fromTheRoot(), preloadEditor(), procedureKinds()],
    worker: { format: 'es' },
    build: {
      outDir: 'out/renderer',
      // Half the text to fetch, parse and compile before the first script is seen; electron-vite leaves this off.
      minify: 'oxc',
      cssMinify: true,
      rollupOptions: { input: at('src-renderer/index.html') },
    },
  },
});
