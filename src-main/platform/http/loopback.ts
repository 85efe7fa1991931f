import type { Server } from 'node:http';
import { TagwrightError } from '../errors.ts';

/** The address of every server of the product: other machines cannot reach it. */
export const LOOPBACK = '127.0.0.1';
/** The ports that servers of this process listen on. */
const ownPorts = new Set<number>();
const LOOPBACK_NAMES = [LOOPBACK, 'localhost', '[::1]'];

/**
 * Whether the Host header names this server by a loopback name and its port. A page whose own domain was pointed at
 * 127.0.0.1 (DNS rebinding) sends its own name and is rejected.
 */
export function isOurHost(host: string | undefined, port: number): boolean {
  return host !== undefined && LOOPBACK_NAMES.some((name) => host.toLowerCase() === `${name}:${port}`);
}

/** `http://127.0.0.1:PORT` */
export function loopbackUrl(port: number): string {
  return `http://${LOOPBACK}:${port}`;
}

/** Whether this instance listens on the port now. Other instances are other processes. */
export function isOwnPort(port: number): boolean {
  return ownPorts.has(port);
}

/**
 * Listens on loopback and resolves with the port, which is the requested one or, for 0, a free one.
 * @throws TagwrightError PORT_TAKEN if another program listens on it or this user may not
 */
export function listenOnLoopback(server: Server, port: number): Promise<number> {
  return listenOn(server, port, LOOPBACK);
}

/** The same on any address of this machine. @throws TagwrightError PORT_TAKEN */
export function listenOn(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE' || error.code === 'EACCES';
      reject(taken ? portTaken(port, error) : error);
    });
    server.listen(port, host, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address ? address.port : port;
      ownPorts.add(bound);
      server.once('close', () => ownPorts.delete(bound));
      resolve(bound);
    });
  });
}

function portTaken(port: number, cause: NodeJS.ErrnoException): TagwrightError {
  const why = cause.code === 'EACCES' ? 'this user may not listen on it' : 'another program listens on it';
  return new TagwrightError(
    'PORT_TAKEN',
    `Port ${port} cannot be used: ${why}. Choose another one, or 0 for a free one.`,
    { data: { port }, cause },
  );
}
