/**
 * The plant host: a process of its own that runs the SQL of users on plant.db, so that no statement can hold up or bring
 * down main. Arguments: the file, `reader` or `writer`, how long to wait for other programs in ms.
 */
import { isMainThread, workerData } from 'node:worker_threads';
import { BlockingPipe } from '../../../platform/host-pipe/blocking-pipe.ts';
import type { PlantRequest } from '../protocol.ts';
import { AnswerWriter } from './answer-writer.ts';
import { HostSession } from './host-session.ts';
import { Watch, watch } from './watchdog.ts';

const PIPE_FD = 3;

function main(): never {
  // What SQLite makes beside plant.db, and plant.db itself, are nobody else's.
  process.umask(0o077);
  const [file = '', role = '', busyMs = ''] = process.argv.slice(2);
  const session = new HostSession(
    { file, role: role === 'writer' ? 'writer' : 'reader', busyMs: Number(busyMs) },
    new Watch(import.meta.filename),
  );
  const pipe = new BlockingPipe(PIPE_FD, endAtOnce);
  for (;;) {
    const { text } = pipe.read();
    const answer = new AnswerWriter(pipe);
    answer.done(session.handle(JSON.parse(text) as PlantRequest, (result) => answer.add(result)));
  }
}

/** Closing the file would move what is in its write-ahead log, where the next start looks for what was committed. */
function endAtOnce(): never {
  process.kill(process.pid, 'SIGKILL');
  // The first process of a namespace takes no signals of its own.
  process.abort();
}

if (isMainThread) main();
else if (workerData instanceof Int32Array) watch(workerData);
