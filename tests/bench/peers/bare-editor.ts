import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, preview } from 'vite';
import type { BrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { scriptTypes } from '../../../src-renderer/build/script-types.ts';

const ROOT = join(import.meta.dirname, 'bare-editor-page');

/** Measures a workbench and a page with Monaco and nothing else, the limit of what the editor can reach, at `url`. */
export async function withBareEditor<T>(work: (workbench: BrowserWorkbench, url: string) => Promise<T>): Promise<T> {
  const [workbench, bare] = await Promise.all([startBrowserWorkbench({ ownBrowser: true }), serveBareEditor()]);
  try {
    return await work(workbench, bare.url);
  } finally {
    await Promise.all([workbench.close(), bare.close()]);
  }
}

async function serveBareEditor(): Promise<{ url: string; close: () => Promise<void> }> {
  const outDir = await mkdtemp(join(tmpdir(), 'tagwright-bare-editor-'));
  const common = { root: ROOT, configFile: false, logLevel: 'error' } as const;
  await build({
    ...common,
    worker: { format: 'es', plugins: () => [scriptTypes()] },
    build: { outDir, emptyOutDir: true, target: 'esnext', chunkSizeWarningLimit: 10_000 },
  });
  const server = await preview({ ...common, build: { outDir }, preview: { host: '127.0.0.1', port: 0 } });
  const url = server.resolvedUrls?.local[0];
  if (url === undefined) throw new Error('the page of the bare editor is not served');
  return {
    url,
    close: async () => {
      await server.close();
      await rm(outDir, { recursive: true, force: true });
    },
  };
}
