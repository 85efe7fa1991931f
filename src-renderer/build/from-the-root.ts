import type { Plugin } from 'vite';

/**
 * Makes the addresses of built files absolute, because pages have several depths (`/diagrams/<name>`). A plugin,
 * because electron-vite overrides the configured `base` with a relative one, for pages that are opened as files.
 */
export function fromTheRoot(): Plugin {
  return { name: 'tagwright:from-the-root', config: () => ({ base: '/' }) };
}
