/**
 * The plant host: a process of its own that runs the SQL of users on plant.db, so that no statement can hold up or bring
 * down main. Arguments: the file, `reader` or `writer`, how long to wait for other programs in ms.
 */
import { isMainThread, workerData } from 'node:worker_threads';
import type { PlantAnswer, PlantRequest } from '../protocol.ts';
import { HostSession } from './host-session.ts';
import { Watch, watch } from './watchdog.ts';

function main(): void {
  // What SQLite makes beside plant.db, and plant.db itself, are nobody else's.
  process.umask(0o077);
  const [file = '', role = '', busyMs = ''] = process.argv.slice(2);
  const session = new HostSession(
    { file, role: role === 'writer' ? 'writer' : 'reader', busyMs: Number(busyMs) },
    new Watch(import.meta.filename),
  );
  process.on('message', (request: PlantRequest) => {
    const answer: PlantAnswer = session.handle(request);
    process.send?.(answer);
  });
  // Closing the file would move what is in its write-ahead log, where the next start looks for what was committed.
  process.on('disconnect', () => {
    process.kill(process.pid, 'SIGKILL');
    // The first process of a namespace takes no signals of its own.
    process.abort();
  });
}

if (isMainThread) main();
else if (workerData instanceof Int32Array) watch(workerData);
