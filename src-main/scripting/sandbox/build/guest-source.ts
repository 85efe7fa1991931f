import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';
import type { StandardLibraries } from '../globals/types.ts';

const VIRTUAL_ID = 'virtual:guest-source';
const RESOLVED_ID = `\0${VIRTUAL_ID}`;
const SANDBOX_FOLDER = fileURLToPath(new URL('..', import.meta.url));
const STRICT = '"use strict";';
const LIBRARIES: readonly (keyof StandardLibraries)[] = ['base64', 'encoding', 'url', 'clone', 'crypto'];

interface Bundle {
  code: string;
  modules: string[];
}

/**
 * Serves `virtual:guest-source`: the guest (what runs inside the isolate, without Node) as one minified script of
 * strict code. The libraries of the standard globals are functions in it. The engine compiles a function when it is
 * called first, and keeps its code for later realms of the isolate.
 */
export function guestSource(): Plugin {
  return {
    name: 'tagwright:guest-source',
    resolveId: (id) => (id === VIRTUAL_ID ? RESOLVED_ID : null),
    async load(id) {
      if (id !== RESOLVED_ID) return null;
      const [guest, debug] = await Promise.all([bundle('guest/index.ts'), bundle('guest/debug/index.ts')]);
      const libraries = await Promise.all(
        LIBRARIES.map(async (name) => ({ name, ...(await bundle(`globals/${name}.ts`, true)) })),
      );
      for (const module of [guest, debug, ...libraries].flatMap(({ modules }) => modules)) this.addWatchFile(module);
      const functions = libraries.map(({ name, code }) => `${name}(){${code}return tagwright}`);
      const withLibraries = (code: string) =>
        JSON.stringify(`(()=>{${STRICT}const standardLibraries={${functions.join()}};${code}})()`);
      return [
        `export default ${withLibraries(guest.code)};`,
        `export const debugSource = ${withLibraries(debug.code)};`,
        `export const ownSource = ${JSON.stringify(guest.code)};`,
      ].join('\n');
    },
  };
}

/** @param keepNames keeps the names of classes, which scripts see; the guest would pay for them in every realm */
async function bundle(entry: string, keepNames = false): Promise<Bundle> {
  const output = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    // Neither a browser nor Node: packages must bring everything themselves.
    resolve: { mainFields: ['module', 'main'], conditions: ['module'] },
    build: {
      write: false,
      target: 'esnext',
      minify: true,
      modulePreload: false,
      // Sloppy functions, with their arguments, are reachable through call sites and Function.prototype.caller.
      rolldownOptions: { output: { strict: true, keepNames } },
      lib: { entry: resolve(SANDBOX_FOLDER, entry), formats: ['iife'], name: 'tagwright', fileName: 'guest' },
    },
  });
  const chunk = [output].flat().flatMap((result) => ('output' in result ? result.output : []))[0];
  if (chunk?.type !== 'chunk') throw new Error(`${entry} did not bundle to one script`);
  if (!chunk.code.startsWith(STRICT)) throw new Error(`${entry} did not bundle to strict code`);
  // Code with characters beyond one byte would take two bytes for each character of the guest.
  const code = chunk.code.replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return { code, modules: chunk.moduleIds.filter((module) => module.startsWith('/')) };
}
