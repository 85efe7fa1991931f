import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, preview } from 'vite';
import { scriptTypes } from '../../../src-renderer/build/script-types.ts';

const ROOT = join(import.meta.dirname, 'bare-editor-page');

/** A page with Monaco and nothing else, the limit of what the editor can reach. */
export interface BareEditor {
  url: string;
  close: () => Promise<void>;
}

export async function serveBareEditor(): Promise<BareEditor> {
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
