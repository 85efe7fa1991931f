import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Side } from '../compare.ts';

/** Another process to compare with. It receives the length of a round in ms, and responds with its rate. */
export interface Peer {
  side: Side;
  close(): void;
}

export async function startPeer(file: string): Promise<Peer> {
  const child = fork(resolve(import.meta.dirname, file), { execArgv: ['--no-node-snapshot'] });
  await once(child, 'message');
  return {
    async side(ms) {
      const response = once(child, 'message');
      child.send(ms);
      const [rate] = await response;
      return Number(rate);
    },
    close: () => void child.kill(),
  };
}

/** The peer's side: repeats `work` for as long as each message says, and responds with the rate. */
export function serveRounds(work: () => unknown): void {
  process.on('message', (ms) => {
    const end = performance.now() + Number(ms);
    const start = performance.now();
    let runs = 0;
    while (performance.now() < end) {
      work();
      runs += 1;
    }
    process.send?.((runs * 1_000) / (performance.now() - start));
  });
  process.send?.('ready');
}
