/** The messages between main, the preload of the desktop window, and its page. */

/** The only message that main accepts from a window: it transfers a port for everything else. */
export const CONNECT_CHANNEL = 'tagwright:connect';

/** The message in which the page gets the other end of that port, as `ports[0]`. */
export const PORT_MESSAGE = 'tagwright:port';

/** The origin of the window's page; main accepts messages of no other origin. */
export const APP_ORIGIN = 'app://tagwright';

/** The message in which a page sends main its commands, for the native menu. */
export const OFFER_CHANNEL = 'tagwright:offer';

/** The message in which main sends a page a request of a menu, a link or a notice. */
export const REQUEST_CHANNEL = 'tagwright:request';

/** A command of the page in the native menu. */
export interface OfferedCommand {
  id: string;
  title: string;
  section: string;
  /** As `Ctrl+Shift+P`; '' for none. */
  keys: string;
  enabled: boolean;
}

export type DesktopRequest =
  | { kind: 'command'; id: string }
  /** Shows a view, with its target `what`. */
  | { kind: 'show'; view: string; what: string }
  | { kind: 'notice'; intent: 'info' | 'success' | 'warning' | 'error'; title: string; body: string };

/** `window.tagwright` in the desktop window; a browser has none. */
export interface DesktopBridge {
  /** Reconnects to main. The page gets a `message` event of this window with `data === PORT_MESSAGE`. */
  connect(): void;
  /** Sends main the current commands. */
  offer(commands: readonly OfferedCommand[]): void;
  /** Calls back with the requests of main; one listener per page, a later one replaces the former. */
  onRequest(listener: (request: DesktopRequest) => void): void;
}
