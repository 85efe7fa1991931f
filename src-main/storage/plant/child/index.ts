/**
 * The plant host: a separate process that runs the SQL of users on plant.db, so that no statement can block or crash
 * main. Arguments: the file, `reader` or `writer`, how long to wait for other programs in ms.
 */
import { isMainThread, workerData } from 'node:worker_threads';
import { BlockingPipe } from '../../../platform/host-pipe/blocking-pipe.ts';
import type { PlantRequest } from '../protocol.ts';
import { ResponseWriter } from './response-writer.ts';
import { HostSession } from './host-session.ts';
import { Watch, watch } from './watchdog.ts';

const PIPE_FD = 3;

function main(): never {
  // plant.db and the files that SQLite creates next to it are private to the owner.
  process.umask(0o077);
  const [file = '', role = '', busyMs = ''] = process.argv.slice(2);
  const session = new HostSession(
    { file, role: role === 'writer' ? 'writer' : 'reader', busyMs: Number(busyMs) },
    new Watch(import.meta.filename),
  );
  const pipe = new BlockingPipe(PIPE_FD, endAtOnce);
  for (;;) {
    const { text } = pipe.read();
    const response = new ResponseWriter(pipe);
    response.done(session.handle(JSON.parse(text) as PlantRequest, (result) => response.add(result)));
  }
}

/**
 * Closing the file would move the contents of its write-ahead log, which the next start inspects to find out what was
 * committed.
 */
function endAtOnce(): never {
  process.kill(process.pid, 'SIGKILL');
  // The first process of a namespace does not receive its own signals.
  process.abort();
}

if (isMainThread) main();
else if (workerData instanceof Int32Array) watch(workerData);
