import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';
import { guestSource } from './guest-source.ts';

const ENTRY = fileURLToPath(new URL('../child/index.ts', import.meta.url));
const PLANT_ENTRY = fileURLToPath(new URL('../../../storage/plant/child/index.ts', import.meta.url));

/** The name of the bundled host, next to the bundle of main. */
export const SCRIPT_HOST_FILE = 'script-host.cjs';

/** The name that platform/files/programs.ts uses. */
const PLANT_HOST_FILE = 'plant-host.js';

/**
 * Emits the script host and the plant host as one standalone file each. They share no chunk with main: a host can read
 * no file except its own entry, which must therefore contain everything.
 */
export function hosts(): Plugin {
  return {
    name: 'tagwright:hosts',
    applyToEnvironment: ({ name }) => name === 'main',
    apply: 'build',
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: SCRIPT_HOST_FILE, source: await bundleScriptHost() });
      this.emitFile({ type: 'asset', fileName: PLANT_HOST_FILE, source: await bundleHost(PLANT_ENTRY, 'es') });
    },
  };
}

/** The text of the bundled script host; its last line can be a map to its sources. */
export function bundleScriptHost({ map = false } = {}): Promise<string> {
  return bundleHost(ENTRY, 'cjs', map);
}

async function bundleHost(entry: string, format: 'cjs' | 'es', map = false): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [guestSource()],
    ssr: { noExternal: true },
    build: {
      write: false,
      ssr: entry,
      target: 'node26',
      minify: false,
      sourcemap: map && 'inline',
      rollupOptions: { output: { format, codeSplitting: false } },
    },
  });
  const chunks = [output].flat().flatMap((result) => ('output' in result ? result.output : []));
  const [chunk] = chunks;
  if (chunks.length !== 1 || chunk?.type !== 'chunk') throw new Error(`${entry} did not bundle to one file`);
  return chunk.code;
}
