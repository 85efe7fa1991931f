import type { IpcMainEvent, MessagePortMain, WebContents } from 'electron';
import { ipcMain } from 'electron';
import { CONNECT_CHANNEL } from '#contract/bridge';
import type { Cause } from '#domain/run/journal';
import type { Log } from '../platform/log.ts';
import type { Dispatcher } from '../rpc/dispatcher.ts';
import { portChannel } from '../rpc/port.ts';
import { isTrustedSender } from './trusted-sender.ts';

const WINDOW: Cause = { by: 'person', from: 'window' };

interface Served {
  port: MessagePortMain;
  end: () => void;
}

/**
 * Serves the ports that the pages of our windows send, one per window at a time: when a page reloads, the calls and
 * streams of its previous port end. Ports from any other sender are rejected.
 */
export class PortRelay {
  #dispatcher: Dispatcher | null = null;
  readonly #log: Log;
  readonly #windows = new Map<WebContents, Served | null>();

  constructor(log: Log) {
    this.#log = log;
    ipcMain.on(CONNECT_CHANNEL, this.#connect);
  }

  /** Accepts ports of this window, until it is closed. */
  add(contents: WebContents): void {
    this.#windows.set(contents, null);
    const leave = () => this.#leave(contents);
    contents.on('did-navigate', leave);
    contents.on('render-process-gone', leave);
    contents.on('destroyed', () => {
      leave();
      this.#windows.delete(contents);
    });
  }

  /** Serves the next ports; before, none is accepted. */
  serve(dispatcher: Dispatcher): void {
    this.#dispatcher = dispatcher;
  }

  /** Closes all ports, and each new one until `serve`: the pages retry. */
  pause(): void {
    this.#dispatcher = null;
    for (const contents of this.#windows.keys()) this.#leave(contents);
  }

  /** Closes all ports and accepts no more. */
  close(): void {
    ipcMain.off(CONNECT_CHANNEL, this.#connect);
    this.pause();
    this.#windows.clear();
  }

  readonly #connect = (event: IpcMainEvent) => {
    const [port] = event.ports;
    const from = [...this.#windows.keys()].find((contents) => isTrustedSender(event, contents));
    if (!from || !port) {
      this.#log.warn('rejected a message that does not come from our page');
      for (const refused of event.ports) refused.close();
      return;
    }
    this.#leave(from);
    if (this.#dispatcher) this.#windows.set(from, { port, end: this.#dispatcher.serve(portChannel(port), WINDOW) });
    else port.close();
  };

  #leave(contents: WebContents): void {
    const served = this.#windows.get(contents);
    if (!served) return;
    this.#windows.set(contents, null);
    // A port does not notify the side that closes it.
    served.end();
    served.port.close();
  }
}
