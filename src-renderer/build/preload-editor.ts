import type { HtmlTagDescriptor, Plugin } from 'vite';

const EDITOR = /features\/scripts\/editor\/code-editor\.tsx$/;

/**
 * Has the page fetch and compile the editor, the largest part of the product, from its first moment on. It is run later,
 * after the shell is seen: without this it would only be asked for then.
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
          ...[...wanted].map((file) => linkTo(file, 'modulepreload')),
          ...[...new Set(styles)].map((file) => linkTo(file, 'stylesheet')),
        ];
      },
    },
  };
}

function linkTo(file: string, rel: 'modulepreload' | 'stylesheet'): HtmlTagDescriptor {
  return { tag: 'link', attrs: { rel, crossorigin: true, href: `/${file}` }, injectTo: 'head' };
}
