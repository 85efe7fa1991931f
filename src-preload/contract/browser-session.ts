/*
 * How a page of the browser host proves its session. The cookie alone opens pages; the RPC requires the key too, which
 * stays in the storage of the page's origin: browsers send cookies to every port of this machine.
 */

/** The member of the fragment that hands the key to the page which a link opened: `/#key=…`. */
export const KEY_MEMBER = 'key';

/** The WebSocket protocol of the RPC. A page offers it together with its key. */
export const RPC_PROTOCOL = 'tagwright.rpc';

/** Answers 204 while the session holds, with the key as a bearer. */
export const SESSION_PATH = '/session';

/** The close code of a window that was signed out. */
export const SIGNED_OUT_CODE = 4401;
