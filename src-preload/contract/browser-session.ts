/*
 * How a page of the browser host proves its session. The cookie alone opens pages; the RPC also requires the key, which
 * stays in the storage of the page's origin, because browsers send cookies to every port of this machine.
 */

/** The member of the fragment that passes the key to the page of a link: `/#key=…`. */
export const KEY_MEMBER = 'key';

/** The WebSocket protocol of the RPC. A page offers it together with its key. */
export const RPC_PROTOCOL = 'tagwright.rpc';

/** Responds 204 while the session is valid, with the key as a bearer token. */
export const SESSION_PATH = '/session';

/** The close code for a window that was signed out. */
export const SIGNED_OUT_CODE = 4401;
