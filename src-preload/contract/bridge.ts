/** What the preload of the desktop window and main say to each other, and the preload to its page. */

/** The one message that main takes from a window: it carries a port, over which everything else goes. */
export const CONNECT_CHANNEL = 'tagwright:connect';

/** The message in which the page gets the other end of that port, as `ports[0]`. */
export const PORT_MESSAGE = 'tagwright:port';

/** Where the window's page comes from; main takes messages of no other origin. */
export const APP_ORIGIN = 'app://tagwright';

/** `window.tagwright` in the desktop window; a browser has none. */
export interface DesktopBridge {
  /** Connects to main anew. The page gets a `message` event of this window with `data === PORT_MESSAGE`. */
  connect(): void;
}
