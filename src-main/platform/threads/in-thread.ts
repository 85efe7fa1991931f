import { Worker } from 'node:worker_threads';

/** What a thread gets, and what it may use. */
export interface ThreadOptions {
  /** Its `workerData`. */
  data: unknown;
  /** The parts of `data` that are moved instead of copied. */
  moved?: ArrayBuffer[];
  /** Memory of its heap, MB; that of a process without this. */
  mostMb?: number;
  /** Time until its result, ms; without a limit by default. */
  mostMs?: number;
}

/** A thread that used too much time or memory, failed, or ended without a result. */
export class ThreadFailure extends Error {
  readonly reason: 'time' | 'memory' | 'fault';

  constructor(reason: 'time' | 'memory' | 'fault', message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/**
 * Runs a program in a thread of its own, which takes 40 ms to start. Its first message is the result, and it has ended when
 * this returns. The program of the file decides the type of its result. Throws ThreadFailure.
 */
export async function inThread<Result>(
  file: string,
  { data, moved = [], mostMb, mostMs }: ThreadOptions,
): Promise<Result> {
  const thread = new Worker(file, {
    workerData: data,
    transferList: moved,
    ...(mostMb !== undefined && { resourceLimits: { maxOldGenerationSizeMb: mostMb } }),
  });
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const timer =
    mostMs !== undefined &&
    setTimeout(() => reject(new ThreadFailure('time', `it takes more than ${mostMs / 1_000} s`)), mostMs);
  thread.once('message', resolve);
  thread.once('messageerror', (error) => reject(faultOf(error)));
  thread.once('error', (error) => reject(faultOf(error)));
  thread.once('exit', () => reject(new ThreadFailure('fault', 'its thread ended without a result')));
  try {
    return await promise;
  } finally {
    if (timer !== false) clearTimeout(timer);
    await thread.terminate();
  }
}

function faultOf(error: unknown): ThreadFailure {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new ThreadFailure('memory', 'it takes too much memory', error);
  return new ThreadFailure('fault', error instanceof Error ? error.message : String(error), error);
}
