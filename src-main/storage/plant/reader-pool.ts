import type { PlantHostOptions, PlantReply } from './plant-process.ts';
import { PlantProcess } from './plant-process.ts';
import { endEarly } from './end-early.ts';
import { type Limits, notInTime, type PlantStatement, timeInTotal } from './protocol.ts';

/** Maximum number of concurrent reads; others wait. */
const READERS = 4;
/** Maximum number of concurrent reads of one run, so that others need not wait for its slow ones. */
const OWN_SHARE = READERS / 2;
/** How long a read waits for a busy reader before another is started, ms. */
const PATIENCE_MS = 25;
/** How long idle extra readers are kept, ms. */
const IDLE_MS = 30_000;

/** The owner of a read. */
export interface ReadBy {
  /** Aborts when the results are no longer needed. */
  signal?: AbortSignal | undefined;
  /** Reads of the same owner share the readers that one owner may have; by default, a read is its own owner. */
  owner?: object | null | undefined;
}

interface Job {
  statements: readonly PlantStatement[];
  limits: Limits;
  /** Deadline, ms of a monotonic clock. */
  until: number;
  signal: AbortSignal | undefined;
  owner: object;
  resolve: (reply: PlantReply) => void;
}

const CLOSED: PlantReply = { error: { fault: 'lost', message: 'the workspace is closed' } };

/** Processes that read plant.db: one at first, more while reads are slow. Owners share them fairly. */
export class ReaderPool {
  readonly #host: PlantHostOptions;
  readonly #idle: PlantProcess[] = [];
  readonly #all = new Set<PlantProcess>();
  readonly #waiting: Job[] = [];
  /** How many reads of an owner are in progress. */
  readonly #running = new Map<object, number>();
  #impatience: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(host: PlantHostOptions) {
    this.#host = host;
  }

  /**
   * Runs statements in one read transaction, as many as begin before `until` (ms of a monotonic clock). If the signal
   * aborts, the statements are no longer run. Never rejects.
   */
  async read(
    statements: readonly PlantStatement[],
    limits: Limits,
    { signal, owner }: ReadBy = {},
    until = performance.now() + timeInTotal(limits),
  ): Promise<PlantReply> {
    if (this.#closed) return CLOSED;
    const { promise, resolve } = Promise.withResolvers<PlantReply>();
    const job: Job = { statements, limits, until, signal, owner: owner ?? {}, resolve };
    this.#waiting.push(job);
    const time = { ms: until - performance.now(), error: () => notInTime(limits) };
    const reply = endEarly(promise, (error) => this.#drop(job, { error }), { signal, time });
    this.#next();
    return reply;
  }

  /** Removes a waiting read; one that has started continues. */
  #drop(job: Job, reply: PlantReply): void {
    const at = this.#waiting.indexOf(job);
    if (at < 0) return;
    this.#waiting.splice(at, 1);
    job.resolve(reply);
  }

  /** Ends the processes at once, with the reads in progress. */
  async abandon(): Promise<void> {
    const all = [...this.#all];
    for (const process of all) process.kill();
    await Promise.all(all.map(({ gone }) => gone));
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#impatience) clearTimeout(this.#impatience);
    await this.abandon();
    for (const { resolve } of this.#waiting.splice(0)) resolve(CLOSED);
  }

  /** The settings or the sandbox have changed: waiting reads may no longer begin, and idle processes end. */
  review(): void {
    for (const process of this.#idle.splice(0)) {
      if (process.isOutdated || this.#host.refusal?.()) process.kill();
      else this.#idle.push(process);
    }
    this.#next();
  }

  #next(): void {
    const refusal = this.#host.refusal?.() ?? null;
    if (refusal !== null) for (const { resolve } of this.#waiting.splice(0)) resolve({ error: refusal });
    for (let job = this.#nextFair(); job !== null; job = this.#nextFair()) {
      const process = this.#take();
      if (process === null) {
        this.#impatience ??= setTimeout(() => {
          this.#impatience = null;
          if (this.#nextFair() !== null && this.#all.size < READERS) this.#idle.push(this.#start());
          this.#next();
        }, PATIENCE_MS);
        return;
      }
      this.#waiting.splice(this.#waiting.indexOf(job), 1);
      void this.#work(process, job);
    }
  }

  /** The next read: of the owners with the fewest reads in progress, the one that has waited longest. */
  #nextFair(): Job | null {
    let [best, fewest]: [Job | null, number] = [null, OWN_SHARE];
    for (const job of this.#waiting) {
      const running = this.#running.get(job.owner) ?? 0;
      if (running < fewest) [best, fewest] = [job, running];
    }
    return best;
  }

  #take(): PlantProcess | null {
    for (let process = this.#idle.pop(); process; process = this.#idle.pop()) {
      if (!process.usable) continue;
      if (!process.isOutdated) return process;
      this.#all.delete(process);
      process.kill();
    }
    return this.#all.size === 0 && !this.#closed ? this.#start() : null;
  }

  #start(): PlantProcess {
    const process = new PlantProcess(this.#host, 'reader');
    this.#all.add(process);
    void process.gone.then(() => {
      this.#all.delete(process);
      const at = this.#idle.indexOf(process);
      if (at >= 0) this.#idle.splice(at, 1);
      if (!this.#closed) this.#next();
    });
    return process;
  }

  async #work(process: PlantProcess, { statements, limits, until, signal, owner, resolve }: Job): Promise<void> {
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1);
    const totalMs = Math.max(0, until - performance.now());
    const reply = await process.run('read', statements, { ...limits, totalMs }, signal);
    const left = (this.#running.get(owner) ?? 1) - 1;
    if (left > 0) this.#running.set(owner, left);
    else this.#running.delete(owner);
    if (process.usable && this.#host.refusal?.()) process.kill();
    else if (process.usable) {
      this.#idle.push(process);
      if (this.#all.size > 1) setTimeout(() => this.#retire(process), IDLE_MS).unref();
    }
    resolve(reply);
    this.#next();
  }

  /** An extra reader that is idle was not needed. */
  #retire(process: PlantProcess): void {
    const at = this.#idle.indexOf(process);
    if (at < 0 || this.#all.size <= 1) return;
    this.#idle.splice(at, 1);
    process.kill();
  }
}
