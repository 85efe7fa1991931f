import type { HtmlTagDescriptor, Plugin } from 'vite';

const EDITOR = /features\/scripts\/editor\/code-editor\.tsx$/;
/** Compiling what is longer, in characters, would hold up the frame and the plain text: it is fetched alone. */
const LARGE = 500_000;

/**
 * Has the page fetch the editor, the largest part of the product, from its first moment on. It is run later, after the
 * shell is seen: without this it would only be asked for then.
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
        // A set grows while it is walked: this reaches what the imports import.
        for (const file of wanted) {
          for (const next of chunks.find(({ fileName }) => fileName === file)?.imports ?? []) wanted.add(next);
        }
        const styles = chunks
          .filter(({ fileName }) => wanted.has(fileName))
          .flatMap(({ viteMetadata }) => Array.from(viteMetadata?.importedCss ?? []));
        // Styles are named as the loader names them, so that it does not wait for them when it runs the modules.
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
