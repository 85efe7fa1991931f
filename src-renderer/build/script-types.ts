import type { Plugin } from 'vite';

const TYPES_OF_LANGUAGE = /\/features\/typescript\/lib\/lib\.js$/;
const TYPES_OF_PAGES = /^libFileMap\["lib\.(?:dom|webworker)\..*';$/gm;

/** Makes the page's TypeScript worker smaller: each window with an editor loads and parses it. */
export function scriptTypes(): Plugin {
  return {
    name: 'tagwright:script-types',
    transform: (code, id) => (TYPES_OF_LANGUAGE.test(id) ? { code: withoutTypesOfPages(code), map: null } : null),
  };
}

/**
 * The module of all types of the language without those of web pages and web workers, which scripts don't have: a third
 * of the TypeScript worker. Throws if it has none.
 */
export function withoutTypesOfPages(code: string): string {
  const shorter = code.replaceAll(TYPES_OF_PAGES, '');
  if (shorter.length === code.length) throw new Error('The TypeScript of the editor has no types of pages to omit');
  return shorter;
}
