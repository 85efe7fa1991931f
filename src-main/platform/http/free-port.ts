import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { LOOPBACK } from './loopback.ts';

/** The number of ports above the taken one to try before accepting any free one. */
const STEPS = [10, 20, 30, 40, 50];
/** A program that listens accepts a connection at once; for a stopped one, the system still does. */
const WITHIN_MS = 1_000;
/** Below it only some users can listen, on systems that have such ports. */
const FIRST_OF_ALL_USERS = 1_024;
/** CAP_NET_BIND_SERVICE in the effective capabilities of Linux. */
const MAY_LISTEN_BELOW = 1n << 10n;

/** A port that is free now, near the given one. */
export async function freePortNear(taken: number): Promise<number> {
  for (const step of STEPS) {
    if (taken + step <= 65_535 && (await whyNotFree(taken + step)) === null) return taken + step;
  }
  return anyFreePort();
}

/**
 * Why it is impossible to listen on a port; null if it is possible. Connects instead of listening, which would take the
 * port from an instance that starts at that moment.
 */
export async function whyNotFree(port: number): Promise<'listened' | 'not-permitted' | null> {
  if (port === 0) return null;
  if (await isListenedOn(port)) return 'listened';
  return port < firstPermitted() ? 'not-permitted' : null;
}

function isListenedOn(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: LOOPBACK, port });
    const end = (listened: boolean) => {
      socket.destroy();
      resolve(listened);
    };
    // The system may choose the same port for this end, and connects the socket with itself.
    socket.once('connect', () => end(socket.localPort !== port));
    socket.once('error', ({ code }: NodeJS.ErrnoException) => end(code !== 'ECONNREFUSED'));
    socket.setTimeout(WITHIN_MS, () => end(true));
  });
}

/** The lowest port on which this user can listen. */
function firstPermitted(): number {
  if (process.platform === 'win32' || process.getuid?.() === 0) return 0;
  if (process.platform !== 'linux') return FIRST_OF_ALL_USERS;
  try {
    const capabilities = /^CapEff:\s*([\da-f]+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
    if ((BigInt(`0x${capabilities}`) & MAY_LISTEN_BELOW) !== 0n) return 0;
    return Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'));
  } catch {
    return FIRST_OF_ALL_USERS;
  }
}

/** The system assigns every caller a different one, so listening on it briefly conflicts with no other program. */
function anyFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, LOOPBACK, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
