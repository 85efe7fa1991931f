import type { PlantHostOptions, PlantReply } from './plant-process.ts';
import { PlantProcess } from './plant-process.ts';
import type { Limits, PlantStatement } from './protocol.ts';

/** Maximum number of concurrent reads; others wait. */
const READERS = 4;
/** How long a read waits for a busy reader before another is started, ms. */
const PATIENCE_MS = 25;
/** How long idle extra readers are kept, ms. */
const IDLE_MS = 30_000;

interface Job {
  statements: readonly PlantStatement[];
  limits: Limits;
  resolve: (reply: PlantReply) => void;
}

const CLOSED: PlantReply = { error: { fault: 'lost', message: 'the workspace is closed' } };

/** Processes that read plant.db: one at first, more while reads are slow. */
export class ReaderPool {
  readonly #host: PlantHostOptions;
  readonly #idle: PlantProcess[] = [];
  readonly #all = new Set<PlantProcess>();
  readonly #waiting: Job[] = [];
  #impatience: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(host: PlantHostOptions) {
    this.#host = host;
  }

  /** Runs statements in one read transaction. Never rejects. */
  read(statements: readonly PlantStatement[], limits: Limits): Promise<PlantReply> {
    if (this.#closed) return Promise.resolve(CLOSED);
    return new Promise((resolve) => {
      this.#waiting.push({ statements, limits, resolve });
      this.#next();
    });
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

  #next(): void {
    while (this.#waiting.length > 0) {
      const process = this.#take();
      if (process === null) {
        this.#impatience ??= setTimeout(() => {
          this.#impatience = null;
          if (this.#waiting.length > 0 && this.#all.size < READERS) this.#idle.push(this.#start());
          this.#next();
        }, PATIENCE_MS);
        return;
      }
      const job = this.#waiting.shift();
      if (job) void this.#work(process, job);
    }
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

  async #work(process: PlantProcess, { statements, limits, resolve }: Job): Promise<void> {
    const reply = await process.run('read', statements, limits);
    if (process.usable) {
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
