import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

const VIRTUAL_ID = 'virtual:guest-source';
const RESOLVED_ID = `\0${VIRTUAL_ID}`;
const GUEST_FOLDER = fileURLToPath(new URL('../guest', import.meta.url));

/**
 * Serves `virtual:guest-source`: the guest (what runs inside the isolate, without Node) as one minified script of
 * strict code.
 */
export function guestSource(): Plugin {
  return {
    name: 'tagwright:guest-source',
    resolveId: (id) => (id === VIRTUAL_ID ? RESOLVED_ID : null),
    async load(id) {
      if (id !== RESOLVED_ID) return null;
      const { code, modules } = await bundleGuest();
      for (const module of modules) this.addWatchFile(module);
      return `export default ${JSON.stringify(code)};`;
    },
  };
}

async function bundleGuest(): Promise<{ code: string; modules: string[] }> {
  const output = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      target: 'esnext',
      minify: true,
      modulePreload: false,
      // Sloppy functions, with their arguments, are reachable through call sites and Function.prototype.caller.
      rolldownOptions: { output: { strict: true } },
      lib: { entry: resolve(GUEST_FOLDER, 'index.ts'), formats: ['iife'], name: 'tagwrightGuest', fileName: 'guest' },
    },
  });
  const chunk = [output].flat().flatMap((result) => ('output' in result ? result.output : []))[0];
  if (chunk?.type !== 'chunk') throw new Error('the guest did not bundle to one script');
  if (!chunk.code.startsWith('"use strict";')) throw new Error('the guest did not bundle to strict code');
  return { code: chunk.code, modules: chunk.moduleIds.filter((module) => module.startsWith('/')) };
}
