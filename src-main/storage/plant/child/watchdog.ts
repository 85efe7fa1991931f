import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/**
 * Watches the statements of this process from another thread: nothing else can end a statement of SQLite. A statement
 * that exceeds its time ends the process, after main was notified which one it was; the end of main, for whatever
 * reason, does too.
 */

const LOOK_MS = 20;
/** Main reads here which statement exceeded its time. */
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

  /** @param entry the program of this process, whose thread calls `watch` */
  constructor(entry: string) {
    new Worker(entry, { workerData: this.#places }).unref();
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
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
    if (Atomics.load(places, RUNNING) === 0) return;
    const request = Atomics.load(places, REQUEST);
    const statement = Atomics.load(places, STATEMENT);
    if (((now() - Atomics.load(places, BEGAN)) | 0) <= Atomics.load(places, LIMIT)) return;
    writeSync(REPORT_FD, `${request} ${statement}\n`);
    process.kill(process.pid, 'SIGKILL');
  }, LOOK_MS);
}

/** ms since an arbitrary moment, in 32 bits. */
const now = (): number => Date.now() | 0;
