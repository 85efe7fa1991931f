/** What the preload of the desktop window and main say to each other, and the preload to its page. */

/** The one message that main takes from a window: it carries a port, over which everything else goes. */
export const CONNECT_CHANNEL = 'tagwright:connect';

/** The message in which the page gets the other end of that port, as `ports[0]`. */
export const PORT_MESSAGE = 'tagwright:port';

/** Where the window's page comes from; main takes messages of no other origin. */
export const APP_ORIGIN = 'app://tagwright';

/** The message in which a page tells main which commands it has, for the native menu. */
export const OFFER_CHANNEL = 'tagwright:offer';

/** The message in which main asks a page for something: what a menu, a link or a notice wants. */
export const ASK_CHANNEL = 'tagwright:ask';

/** A command of the page as the native menu shows it. */
export interface OfferedCommand {
  id: string;
  title: string;
  section: string;
  /** As `Ctrl+Shift+P`; '' for none. */
  keys: string;
  enabled: boolean;
}

export type DesktopAsk =
  | { kind: 'command'; id: string }
  /** Shows a view, and in it what `what` names for that view. */
  | { kind: 'show'; view: string; what: string }
  | { kind: 'notice'; intent: 'info' | 'success' | 'warning' | 'error'; title: string; body: string };

/** `window.tagwright` in the desktop window; a browser has none. */
export interface DesktopBridge {
  /** Connects to main anew. The page gets a `message` event of this window with `data === PORT_MESSAGE`. */
  connect(): void;
  /** Tells main which commands there are now. */
  offer(commands: readonly OfferedCommand[]): void;
  /** Calls back with what main asks for; one listener a page, a later one takes the place of the former. */
  onAsk(listener: (ask: DesktopAsk) => void): void;
}
