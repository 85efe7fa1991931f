import { createServer } from 'node:http';
import { listenOnLoopback } from './loopback.ts';

/** How far above the taken one the first free port is looked for, before any free one will do. */
const STEPS = [10, 20, 30, 40, 50];

/** A port that is free now, near the one that is not. */
export async function freePortNear(taken: number): Promise<number> {
  for (const step of STEPS) {
    const free = taken + step <= 65_535 ? await probe(taken + step).catch(() => null) : null;
    if (free !== null) return free;
  }
  return probe(0);
}

/** Listens for a moment: the port that was free. Throws PORT_TAKEN. */
export async function probe(port: number): Promise<number> {
  const server = createServer();
  const bound = await listenOnLoopback(server, port);
  await new Promise((resolve) => server.close(resolve));
  return bound;
}
