import type { Readable } from 'node:stream';

/** Maximum size of one read of the pipe: a host that fills it has more to send than a call or two. */
const WHOLE_READ = 65_536;

/**
 * Listens to a host: if it sends much, only one read per turn of the event loop, so that a host that floods main leaves
 * time for everything else.
 */
export function listenFairly(pipe: Readable, data: (chunk: Buffer) => void): void {
  pipe.on('data', (chunk: Buffer) => {
    data(chunk);
    if (chunk.length < WHOLE_READ) return;
    pipe.pause();
    setImmediate(() => pipe.resume());
  });
}
