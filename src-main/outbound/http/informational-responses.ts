import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';

/** undici publishes here the socket of each request, before it reads any byte of the response. */
const SENT = 'undici:client:sendHeaders';

const [LF, CR, ZERO, ONE, THREE] = [0x0a, 0x0d, 0x30, 0x31, 0x33] as const;
/** The position of the status in `HTTP/1.1 100 Continue`. */
const STATUS = 9;

/**
 * Lets undici skip the status 100 like other informational responses, as RFC 9110, section 15.2, requires of clients:
 * undici ends the connection, because it never asks for one. Applies to all of its connections, also through proxies
 * and TLS. The returned function ends that for later requests.
 */
export function skipContinue(): () => void {
  subscribe(SENT, expectResponse);
  return () => void unsubscribe(SENT, expectResponse);
}

const responses = new WeakMap<Socket, InformationalResponses>();

function expectResponse(message: unknown): void {
  if (typeof message !== 'object' || message === null || !('socket' in message)) return;
  const { socket } = message;
  if (!(socket instanceof Socket)) return;
  const known = responses.get(socket);
  if (known !== undefined) return known.restart();
  const read = socket.read.bind(socket);
  const own = new InformationalResponses();
  responses.set(socket, own);
  socket.read = (size?: number): unknown => {
    const bytes: unknown = read(size);
    if (Buffer.isBuffer(bytes)) own.renumber(bytes);
    return bytes;
  };
}

/** The informational responses before a final one, read in chunks of any size. */
class InformationalResponses {
  #isStatusLine = true;
  #isFinal = false;
  #hasZero = false;
  /** The position in the line. */
  #column = 0;

  /** For the next request. */
  restart(): void {
    this.#isStatusLine = true;
    this.#isFinal = false;
    this.#column = 0;
  }

  /** Changes the status 100 to 103, which undici skips. */
  renumber(bytes: Buffer): void {
    for (let at = 0; at < bytes.length && !this.#isFinal; at += 1) {
      const byte = bytes[at];
      if (byte === LF) {
        // An empty line ends the headers; before a status line, it is ignored.
        this.#isStatusLine = this.#column === 0;
        this.#column = 0;
      } else if (byte !== CR) {
        if (this.#isStatusLine) {
          if (this.#column === STATUS) this.#isFinal = byte !== ONE;
          else if (this.#column === STATUS + 1) this.#hasZero = byte === ZERO;
          else if (this.#column === STATUS + 2 && this.#hasZero && byte === ZERO) bytes[at] = THREE;
        }
        this.#column += 1;
      }
    }
  }
}
