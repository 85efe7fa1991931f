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
        return [...wanted].map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `./${file}` },
          injectTo: 'head',
        }));
      },
    },
  };
}
