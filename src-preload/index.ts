import { contextBridge, ipcRenderer } from 'electron';
import type { DesktopBridge } from './contract/bridge.ts';
import { CONNECT_CHANNEL, PORT_MESSAGE } from './contract/bridge.ts';

/** All that a page can do through the preload: ask for one port. Ports cannot pass the bridge, so the window posts it. */
const bridge: DesktopBridge = {
  connect: () => {
    const { port1, port2 } = new MessageChannel();
    ipcRenderer.postMessage(CONNECT_CHANNEL, null, [port1]);
    window.postMessage(PORT_MESSAGE, window.location.origin, [port2]);
  },
};

contextBridge.exposeInMainWorld('tagwright', bridge);
