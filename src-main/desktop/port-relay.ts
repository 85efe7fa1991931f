import type { IpcMainEvent, MessagePortMain, WebContents } from 'electron';
import { ipcMain } from 'electron';
import { CONNECT_CHANNEL } from '#contract/bridge';
import type { Log } from '../platform/log.ts';
import type { Dispatcher } from '../rpc/dispatcher.ts';
import { portChannel } from '../rpc/port.ts';
import { isTrustedSender } from './trusted-sender.ts';

/**
 * Serves the ports that the window's page sends, one at a time: a page that loads anew has left its old port, whose
 * calls and streams end then. Whoever else sends one is refused.
 *
 * @returns closes the port and takes no more
 */
export function relayPorts(contents: WebContents, dispatcher: Dispatcher, log: Log): () => void {
  let current: { port: MessagePortMain; end: () => void } | null = null;
  const leave = () => {
    // A port does not tell the side that closes it.
    current?.end();
    current?.port.close();
    current = null;
  };
  const connect = (event: IpcMainEvent) => {
    const [port] = event.ports;
    if (!isTrustedSender(event, contents) || !port) {
      log.warn('a message was refused: it does not come from our page');
      for (const refused of event.ports) refused.close();
      return;
    }
    leave();
    current = { port, end: dispatcher.serve(portChannel(port)) };
  };
  ipcMain.on(CONNECT_CHANNEL, connect);
  contents.on('did-navigate', leave);
  contents.on('render-process-gone', leave);
  contents.on('destroyed', leave);
  return () => {
    ipcMain.off(CONNECT_CHANNEL, connect);
    leave();
  };
}
