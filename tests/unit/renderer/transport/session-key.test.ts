import { expect, test } from 'vitest';
import { RPC_PROTOCOL } from '../../../../src-preload/contract/browser-session.ts';
import { rpcProtocols } from '../../../../src-renderer/transport/session-key.ts';

test('without a key, the page offers only the protocol, which a WebSocket accepts', () => {
  expect(rpcProtocols()).toEqual([RPC_PROTOCOL]);
  const socket = new WebSocket('ws://127.0.0.1:9', rpcProtocols());
  expect(socket.readyState).toBe(WebSocket.CONNECTING);
  socket.close();
});
