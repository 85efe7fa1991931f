import type { Readable } from 'node:stream';

/** What one read of the pipe gives at most: a host that fills it has more to say than a call or two. */
const WHOLE_READ = 65_536;

/**
 * Listens to a host: of one that has much to say, one read in a turn of the event loop, so that a host that floods main
 * leaves time to everybody else.
 */
export function listenFairly(pipe: Readable, data: (chunk: Buffer) => void): void {
  pipe.on('data', (chunk: Buffer) => {
    data(chunk);
    if (chunk.length < WHOLE_READ) return;
    pipe.pause();
    setImmediate(() => pipe.resume());
  });
}
