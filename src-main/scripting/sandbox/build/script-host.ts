import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';
import { guestSource } from './guest-source.ts';

// From the URL: electron-vite bundles its configuration, and keeps of each file's place only this.
const ENTRY = fileURLToPath(new URL('../child/index.ts', import.meta.url));

/** The name of the bundled host; it lies beside the bundle of main. */
export const SCRIPT_HOST_FILE = 'script-host.cjs';

/**
 * Emits the script host as one standalone CommonJS file. It shares no chunk with main: a host may read no file but
 * its own entry, so everything must be in there.
 */
export function scriptHost(): Plugin {
  return {
    name: 'tagwright:script-host',
    apply: 'build',
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: SCRIPT_HOST_FILE, source: await bundleScriptHost() });
    },
  };
}

/** The text of the bundled script host. */
export async function bundleScriptHost(): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [guestSource()],
    ssr: { noExternal: true },
    build: {
      write: false,
      ssr: ENTRY,
      target: 'node26',
      minify: false,
      rollupOptions: { output: { format: 'cjs', codeSplitting: false } },
    },
  });
  const chunks = [output].flat().flatMap((result) => ('output' in result ? result.output : []));
  const [chunk] = chunks;
  if (chunks.length !== 1 || chunk?.type !== 'chunk') throw new Error('the script host did not bundle to one file');
  return chunk.code;
}
