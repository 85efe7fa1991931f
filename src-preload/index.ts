import { contextBridge, ipcRenderer } from 'electron';
import type { DesktopBridge, DesktopRequest } from './contract/bridge.ts';
import { CONNECT_CHANNEL, OFFER_CHANNEL, PORT_MESSAGE, REQUEST_CHANNEL } from './contract/bridge.ts';

/**
 * Everything that a page can do through the preload: request one port, send its commands and receive requests of main.
 * Ports can't pass the bridge, so the window posts it.
 */
const bridge: DesktopBridge = {
  connect: () => {
    const { port1, port2 } = new MessageChannel();
    ipcRenderer.postMessage(CONNECT_CHANNEL, null, [port1]);
    window.postMessage(PORT_MESSAGE, window.location.origin, [port2]);
  },
  offer: (commands) => ipcRenderer.postMessage(OFFER_CHANNEL, commands),
  onRequest: (listener) => {
    ipcRenderer.removeAllListeners(REQUEST_CHANNEL);
    // The event itself stays here: it would give the page more than the request.
    ipcRenderer.on(REQUEST_CHANNEL, (_event, request: DesktopRequest) => listener(request));
  },
};

contextBridge.exposeInMainWorld('tagwright', bridge);
