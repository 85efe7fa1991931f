import { KEY_MEMBER, RPC_PROTOCOL } from '#contract/browser-session';
import { remember, remembered } from '../support/local-storage.ts';

const PLACE = 'session-key';

/** If storage is denied, the key lives as long as the page. */
let ofThisPage = '';

/** Moves the key of a link from the address, where it must not stay visible, to the storage of this origin. */
export function takeSessionKey(): void {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const key = fragment.get(KEY_MEMBER);
  if (key === null) return;
  history.replaceState(history.state, '', `${location.pathname}${location.search}`);
  ofThisPage = key;
  remember(PLACE, key);
}

/** The current session key: another window may have started a newer session. */
export function sessionKey(): string {
  return remembered(PLACE, '') || ofThisPage;
}

/**
 * The protocols that the page offers to the RPC. Without a key, for example after the storage was cleared, main rejects
 * the connection and the session has ended.
 */
export function rpcProtocols(): string[] {
  const key = sessionKey();
  // The browser throws if one of the protocols is empty.
  return key === '' ? [RPC_PROTOCOL] : [RPC_PROTOCOL, key];
}
