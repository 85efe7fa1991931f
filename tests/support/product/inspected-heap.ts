import type { Started } from './product.ts';

/** The environment of a process whose heap is measured: it listens for a debugger, on a free port. */
export const INSPECTED: NodeJS.ProcessEnv = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

/** What a process that was started as INSPECTED holds in its heap, without garbage, in MB. */
export async function heldMb({ err }: Pick<Started, 'err'>): Promise<number> {
  const url = /Debugger listening on (ws:\S+)/.exec(err)?.[1];
  if (url === undefined) throw new Error(`the process does not listen for a debugger: ${err.slice(0, 500)}`);
  const socket = new WebSocket(url);
  try {
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', reject);
    });
    await request(socket, 1, 'HeapProfiler.enable');
    await request(socket, 2, 'HeapProfiler.collectGarbage');
    const { usedSize } = await request(socket, 3, 'Runtime.getHeapUsage');
    return Number(usedSize) / 1_048_576;
  } finally {
    socket.close();
  }
}

function request(socket: WebSocket, id: number, method: string): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const receive = ({ data }: MessageEvent<string>) => {
      const reply: { id?: number; result?: Record<string, unknown>; error?: { message: string } } = JSON.parse(data);
      if (reply.id !== id) return;
      socket.removeEventListener('message', receive);
      if (reply.result) resolve(reply.result);
      else reject(new Error(reply.error?.message ?? 'no result'));
    };
    socket.addEventListener('message', receive);
    socket.send(JSON.stringify({ id, method }));
  });
}
