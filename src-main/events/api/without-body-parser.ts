import type { Plugin } from 'vite';

const REPLACED = '\0tagwright:body-parser';

/**
 * Express loads its parser of bodies, which has tables for 30 character sets (0.6 MB). The events API reads bodies
 * itself (`read-body.ts`) and never calls it, so the bundle of main has an empty module instead.
 */
export function withoutBodyParser(): Plugin {
  return {
    name: 'tagwright:without-body-parser',
    applyToEnvironment: ({ name }) => name === 'main',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source) => (source === 'body-parser' ? REPLACED : null),
    load: (id) => (id === REPLACED ? 'export {};' : null),
  };
}
