import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { MAX_HOST_BYTES } from '../protocol.ts';

/**
 * Watches the statements of this process from another thread: nothing else can end a statement of SQLite. A statement
 * that exceeds its time or memory ends the process, after main was notified which one it was; the end of main, for
 * whatever reason, does too.
 */

const LOOK_MS = 20;
/** Main reads here which statement exceeded which limit. */
const REPORT_FD = 4;

/** The layout of the shared memory. */
const RUNNING = 0;
const REQUEST = 1;
const STATEMENT = 2;
/** When it began and its time limit, ms. */
const BEGAN = 3;
const LIMIT = 4;
const PLACES = 5;

/** The side of the statements. */
export class Watch {
  readonly #places = new Int32Array(new SharedArrayBuffer(PLACES * 4));

  /**
   * Also drops the permissions that only the start of the thread needs.
   * @param entry the program of this process, whose thread calls `watch`
   */
  constructor(entry: string) {
    new Worker(entry, { workerData: this.#places }).unref();
    dropPermissions();
  }

  /** A statement begins. */
  begin(request: number, statement: number, ms: number): void {
    Atomics.store(this.#places, REQUEST, request);
    Atomics.store(this.#places, STATEMENT, statement);
    Atomics.store(this.#places, BEGAN, now());
    Atomics.store(this.#places, LIMIT, ms);
    Atomics.store(this.#places, RUNNING, 1);
  }

  end(): void {
    Atomics.store(this.#places, RUNNING, 0);
  }
}

/** The side of the thread. */
export function watch(places: Int32Array): void {
  dropPermissions();
  const parent = process.ppid;
  // It begins with the largest of the process that started this one.
  const inherited = largestMemory();
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
    if (Atomics.load(places, RUNNING) === 0) return;
    const request = Atomics.load(places, REQUEST);
    const statement = Atomics.load(places, STATEMENT);
    const isLate = ((now() - Atomics.load(places, BEGAN)) | 0) > Atomics.load(places, LIMIT);
    const isLarge = largestMemory() > Math.max(MAX_HOST_BYTES, inherited);
    if (!isLate && !isLarge) return;
    writeSync(REPORT_FD, `${request} ${statement} ${isLate ? 'time' : 'memory'}\n`);
    process.kill(process.pid, 'SIGKILL');
  }, LOOK_MS);
}

/** From here on, this thread starts no threads and reads no files. */
function dropPermissions(): void {
  for (const scope of ['worker', 'fs.read']) process.permission.drop(scope);
}

/** The largest resident memory of the process so far, in bytes. A sandbox has no /proc, which shows the current one. */
function largestMemory(): number {
  return process.resourceUsage().maxRSS * 1024;
}

/** ms of the clock that all threads share and that cannot be set, in 32 bits. */
function now(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return (seconds * 1_000 + nanoseconds / 1_000_000) | 0;
}
