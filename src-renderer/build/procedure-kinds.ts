import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const VIRTUAL_ID = 'virtual:procedure-kinds';
const RESOLVED_ID = `\0${VIRTUAL_ID}`;
// From the URL: electron-vite bundles its configuration, and keeps of each file's place only this.
const CONTRACT = new URL('../../src-preload/contract/', import.meta.url);

/**
 * Serves `virtual:procedure-kinds`: the kind of every procedure, read from the contract during the build. The page gets
 * this table only; the schemas of the contract would add the whole of Zod to it.
 */
export function procedureKinds(): Plugin {
  return {
    name: 'tagwright:procedure-kinds',
    resolveId: (id) => (id === VIRTUAL_ID ? RESOLVED_ID : null),
    async load(id) {
      if (id !== RESOLVED_ID) return null;
      for (const file of ['index.ts', 'procedure.ts']) this.addWatchFile(fileURLToPath(new URL(file, CONTRACT)));
      const [{ contract }, { kindsOf }] = await Promise.all([
        import(new URL('index.ts', CONTRACT).href),
        import(new URL('procedure.ts', CONTRACT).href),
      ]);
      return `export default ${JSON.stringify(kindsOf(contract))};`;
    },
  };
}
