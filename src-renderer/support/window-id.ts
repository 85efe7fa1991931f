import { remember, remembered } from './local-storage.ts';

const KEY = 'window-id';

/**
 * Identifies this window, also after a reload. The window's storage has the id only between two pages: a duplicated
 * tab, which starts with a copy of that storage, finds none and gets its own. After a crash of the page, too.
 */
export function ownWindowId(): string {
  return (own ??= claimedId());
}

let own: string | null = null;

function claimedId(): string {
  const id = remembered(KEY, '', sessionStorage) || crypto.randomUUID();
  const leave = () => void remember(KEY, id, sessionStorage);
  const enter = () => void remember(KEY, null, sessionStorage);
  enter();
  window.addEventListener('pagehide', leave);
  window.addEventListener('pageshow', enter);
  return id;
}
