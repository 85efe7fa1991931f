import type { Plugin } from 'vite';

/**
 * Addresses of what is built begin at the root: pages stand at several depths (`/diagrams/<name>`). As a plugin, because
 * electron-vite sets a relative `base` over the one of the configuration, for pages that are opened as files.
 */
export function fromTheRoot(): Plugin {
  return { name: 'tagwright:from-the-root', config: () => ({ base: '/' }) };
}
