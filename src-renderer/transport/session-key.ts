import { KEY_MEMBER, RPC_PROTOCOL } from '#contract/browser-session';
import { remember, remembered } from '../support/local-storage.ts';

const PLACE = 'session-key';

/** Where storage is refused, the key lives as long as the page. */
let ofThisPage = '';

/** Takes the key that a link has brought out of the address, where nobody should see it, into the storage of this origin. */
export function takeSessionKey(): void {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const key = fragment.get(KEY_MEMBER);
  if (key === null) return;
  history.replaceState(history.state, '', `${location.pathname}${location.search}`);
  ofThisPage = key;
  remember(PLACE, key);
}

/** The key of the session of now: another window may have opened a newer one. */
export function sessionKey(): string {
  return remembered(PLACE, '') || ofThisPage;
}

/** What the page offers to the RPC. Without a key, as after storage was cleared, main refuses and the session has ended. */
export function rpcProtocols(): string[] {
  const key = sessionKey();
  // The browser throws where one of the protocols is empty.
  return key === '' ? [RPC_PROTOCOL] : [RPC_PROTOCOL, key];
}
