import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import type { ProcedureMeta } from '#contract/procedure';

const VIRTUAL_ID = 'virtual:procedure-kinds';
const RESOLVED_ID = `\0${VIRTUAL_ID}`;
const CONTRACT = new URL('../../src-preload/contract/index.ts', import.meta.url);

type DescribedContract = Record<string, Record<string, { '~orpc': { meta: ProcedureMeta } }>>;

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
      this.addWatchFile(fileURLToPath(CONTRACT));
      const { loadContract }: { loadContract: () => Promise<DescribedContract> } = await import(CONTRACT.href);
      return `export default ${JSON.stringify(kindsOf(await loadContract()))};`;
    },
  };
}

/** The kind of every procedure by name: `tags.get`. */
function kindsOf(contract: DescribedContract): Record<string, ProcedureMeta['kind']> {
  const areas = Object.entries(contract);
  const entries = areas.flatMap(([area, procedures]) =>
    Object.entries(procedures).map(([name, one]) => [`${area}.${name}`, one['~orpc'].meta.kind] as const),
  );
  return Object.fromEntries(entries);
}
