import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite';

/** The id of the template, which `src-renderer/support/editor-files.ts` looks for. */
const TEMPLATE = 'editor-files';
const EDITOR = /features\/scripts\/editor\/code-editor\.tsx$/;
/** In characters. A longer chunk is only fetched in advance: compiling it would delay the frame and the plain text. */
const LARGE = 500_000;

/**
 * Lists the files of the editor, the largest part of the product, in a template of the page. The view of scripts preloads
 * them: the editor runs after the view is painted, and without the preload its download would only start then.
 */
export function preloadEditor(): Plugin {
  return {
    name: 'tagwright:preload-editor',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }): HtmlTagDescriptor[] => {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
        const entry = chunks.find(({ facadeModuleId }) => facadeModuleId !== null && EDITOR.test(facadeModuleId));
        if (!entry) throw new Error('the build has no chunk of the editor to preload');
        const ofPage = new Set(
          chunks.filter(({ isEntry }) => isEntry).flatMap((page) => [...withImports(page, chunks)]),
        );
        // The page itself loads those of its entry.
        const wanted = [...withImports(entry, chunks)].filter((chunk) => !ofPage.has(chunk));
        const styles = new Set(wanted.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]));
        // Styles have the names that the loader uses, so that it does not wait for them when it runs the modules.
        const children = [
          ...wanted.map(({ fileName, code }) => linkTo(fileName, code.length > LARGE ? 'preload' : 'modulepreload')),
          ...[...styles].map((file) => linkTo(file, 'stylesheet')),
        ];
        return [{ tag: 'template', attrs: { id: TEMPLATE }, children, injectTo: 'head' }];
      },
    },
  };
}

/** A chunk and all that it imports. */
function withImports(chunk: Rolldown.OutputChunk, chunks: readonly Rolldown.OutputChunk[]): Set<Rolldown.OutputChunk> {
  const found = new Set([chunk]);
  // A Set can grow during iteration, so this also visits imports of imports.
  for (const { imports } of found) {
    for (const next of chunks.filter(({ fileName }) => imports.includes(fileName))) found.add(next);
  }
  return found;
}

function linkTo(file: string, rel: 'modulepreload' | 'preload' | 'stylesheet'): HtmlTagDescriptor {
  const as = rel === 'preload' && { as: 'script' };
  return { tag: 'link', attrs: { rel, ...as, crossorigin: true, href: `/${file}` } };
}
