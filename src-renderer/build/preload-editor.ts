import type { HtmlTagDescriptor, Plugin } from 'vite';

const EDITOR = /features\/scripts\/editor\/code-editor\.tsx$/;
/** In characters. A longer chunk is only fetched in advance: compiling it would delay the frame and the plain text. */
const LARGE = 500_000;

/**
 * Preloads the editor, the largest part of the product. It runs after the shell is painted; without the preload, its
 * download would only start then.
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
        const wanted = new Set([entry.fileName]);
        // A Set can grow during iteration, so this also visits imports of imports.
        for (const file of wanted) {
          for (const next of chunks.find(({ fileName }) => fileName === file)?.imports ?? []) wanted.add(next);
        }
        const styles = chunks
          .filter(({ fileName }) => wanted.has(fileName))
          .flatMap(({ viteMetadata }) => Array.from(viteMetadata?.importedCss ?? []));
        // Styles have the names that the loader uses, so that it does not wait for them when it runs the modules.
        return [
          ...chunks
            .filter(({ fileName }) => wanted.has(fileName))
            .map(({ fileName, code }) => linkTo(fileName, code.length > LARGE ? 'preload' : 'modulepreload')),
          ...[...new Set(styles)].map((file) => linkTo(file, 'stylesheet')),
        ];
      },
    },
  };
}

function linkTo(file: string, rel: 'modulepreload' | 'preload' | 'stylesheet'): HtmlTagDescriptor {
  const as = rel === 'preload' && { as: 'script' };
  return { tag: 'link', attrs: { rel, ...as, crossorigin: true, href: `/${file}` }, injectTo: 'head' };
}
