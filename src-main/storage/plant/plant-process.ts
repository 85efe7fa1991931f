import { existsSync } from 'node:fs';
import { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { ConfinedChild } from '../../platform/os-sandbox/confined-child.ts';
import type { ConfinedCommand } from '../../platform/os-sandbox/confined-command.ts';
import { osSandbox, type OsSandbox } from '../../platform/os-sandbox/os-sandbox.ts';
import type {
  HostRole,
  Limits,
  PlantAnswer,
  PlantError,
  PlantOperation,
  PlantResult,
  PlantStatement,
} from './protocol.ts';
import { PlantView } from './plant-view.ts';

/** What a plant host is started with. */
export interface PlantHostOptions {
  /** A plain Node of the product. */
  nodeBinary: string;
  /** The program of the plant host: a bundle, or its source. */
  hostFile: string;
  /** plant.db. */
  file: string;
  /** What confines the process; the system's own by default. */
  sandbox?: OsSandbox;
}

/** How long a plant host waits for another program that holds plant.db, ms. */
export const BUSY_MS = 2_000;
const STDERR_KEPT = 4_096;
/** What the system allows it, where it limits that: its heap of 512 MB, what SQLite keeps, and results on their way. */
const MEMORY_BYTES = 2 * 1024 ** 3;
/** Statements beyond so many are forgotten by main, and then sent again. */
const KNOWN_TEXTS = 20_000;

/** The answer of a process: the results, or that it could not do what was asked. */
export type PlantReply = { results: PlantResult[] } | { error: PlantError; /** Which statement it was. */ at?: number };

interface Waiting {
  resolve: (reply: PlantReply) => void;
}

/** One plant host: requests are answered in order. A statement that takes too long ends the process. */
export class PlantProcess {
  /** Settles when the process is gone. */
  readonly gone: Promise<void>;
  readonly #confined: ConfinedChild;
  readonly #view: PlantView | null;
  readonly #waiting = new Map<number, Waiting>();
  readonly #texts = new Map<string, number>();
  #nextText = 0;
  #nextId = 0;
  #ended: PlantError | null = null;
  #stderr = '';
  /** What the watchdog said before it ended the process. */
  #report = '';

  constructor(options: PlantHostOptions, role: HostRole) {
    const sandbox = options.sandbox ?? osSandbox(options.nodeBinary);
    this.#view = sandbox.state.protection === 'full' ? new PlantView(options.file) : null;
    this.#confined = sandbox.spawn(plantCommand(options, role, this.#view));
    const child = this.#child;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT);
    });
    const report = child.stdio[4];
    if (report instanceof Readable) {
      report.setEncoding('utf8').on('data', (text: string) => {
        this.#report += text;
        // It ends itself, but not where a sandbox keeps signals from it.
        if (this.#report.endsWith('\n')) this.kill();
      });
      report.on('error', () => undefined);
    }
    // Only what is asked keeps main alive.
    child.unref();
    child.channel?.unref();
    for (const stream of child.stdio) if (stream instanceof Socket) stream.unref();
    child.on('message', (answer: PlantAnswer) => this.#answered(answer));
    const { promise, resolve } = Promise.withResolvers<void>();
    this.gone = promise;
    child.on('error', (error) => {
      if (child.pid === undefined) this.#end(`it cannot be started: ${error.message}`, resolve);
    });
    // After all pipes: the report has been read.
    child.on('close', (code, signal) => this.#end(this.#confined.endedBy(code, signal), resolve));
  }

  get usable(): boolean {
    return this.#ended === null;
  }

  /** Whether it could now reach a file of the workspace that is not its own: another is to be used. */
  get isOutdated(): boolean {
    return this.#view?.isOutdated() === true;
  }

  get pid(): number | null {
    return this.#confined.pid;
  }

  get #child(): ConfinedChild['process'] {
    return this.#confined.process;
  }

  /** Runs statements; results in order. Never rejects. */
  run(op: 'read' | 'write', statements: readonly PlantStatement[], limits: Limits): Promise<PlantReply> {
    const texts: [number, string][] = [];
    const sent = statements.map(({ sql, bind }) => {
      const number = this.#numberOf(sql, texts);
      return bind === undefined ? [number] : [number, bind];
    });
    return this.#ask({ op, statements: sent, limits, ...(texts.length > 0 && { texts }) });
  }

  /** One step of a transaction. Never rejects. */
  step(op: Exclude<PlantOperation, 'read' | 'write' | 'script'>, limits: Limits): Promise<PlantReply> {
    return this.#ask({ op, limits });
  }

  /** Runs any SQL, of Tagwright's own. Never rejects. */
  script(sql: string, limits: Limits): Promise<PlantReply> {
    return this.#ask({ op: 'script', sql, limits });
  }

  /** Ends it at once; what it had not committed is undone. */
  kill(): void {
    // Whoever ends it waits for its end.
    this.#child.ref();
    for (const stream of this.#child.stdio) if (stream instanceof Socket) stream.ref();
    this.#confined.kill();
  }

  #numberOf(sql: string, texts: [number, string][]): number {
    const known = this.#texts.get(sql);
    if (known !== undefined) return known;
    if (this.#texts.size >= KNOWN_TEXTS) this.#texts.clear();
    const number = this.#nextText++;
    this.#texts.set(sql, number);
    texts.push([number, sql]);
    return number;
  }

  #ask(request: object): Promise<PlantReply> {
    const message = { id: this.#nextId++, ...request };
    return new Promise((resolve) => {
      if (this.#ended) return resolve({ error: this.#ended });
      this.#waiting.set(message.id, { resolve });
      this.#child.channel?.ref();
      this.#child.send(message, (error) => {
        // The end of the process follows, and says more.
        if (error) this.#confined.kill();
      });
    });
  }

  #answered(answer: PlantAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#child.channel?.unref();
    waiting?.resolve('error' in answer ? { error: answer.error } : { results: answer.results });
  }

  #end(how: string, done: () => void): void {
    if (this.#ended) return;
    const detail = this.#stderr.trim().split('\n').at(-1) ?? '';
    this.#ended = {
      fault: 'lost',
      message: `the process that runs the SQL ended (${how})${detail === '' ? '' : `: ${detail}`}`,
    };
    const [request, statement] = this.#report.trim().split(' ').map(Number);
    for (const [id, { resolve }] of this.#waiting) {
      if (id !== request) resolve({ error: this.#ended });
      else
        resolve({
          error: { fault: 'time', message: 'it took too long' },
          ...(statement !== undefined && { at: statement }),
        });
    }
    this.#waiting.clear();
    done();
  }
}

/** How a plant host is started: it reads its own program, and writes what it sees of the folder of plant.db. */
export function plantCommand(
  { nodeBinary, hostFile, file }: PlantHostOptions,
  role: HostRole,
  view: PlantView | null,
): ConfinedCommand {
  return {
    binary: nodeBinary,
    args: ['--no-warnings', '--disable-sigusr1', '--max-old-space-size=512', hostFile, file, role, `${BUSY_MS}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
    // A sandbox has no folder for temporary files; those of SQLite have no name.
    env: { ...environment(), ...(view !== null && { SQLITE_TMPDIR: dirname(file) }) },
    readable: [...programOf(hostFile), ...TIME_ZONES],
    writable: view?.folders ?? [{ folder: dirname(file), hiddenFiles: [], hiddenFolders: [] }],
    memoryBytes: MEMORY_BYTES,
  };
}

/** The C library reads them for local times of SQLite. */
const TIME_ZONES = ['/etc/localtime', '/usr/share/zoneinfo'];

/** A bundle is one file, sources are a folder. Node reads in the next package.json what kind of modules they are. */
function programOf(hostFile: string): string[] {
  const folder = dirname(hostFile);
  return [hostFile.endsWith('.ts') ? folder : hostFile, ...packageOf(folder)];
}

function packageOf(folder: string): string[] {
  const manifest = join(folder, 'package.json');
  if (existsSync(manifest)) return [manifest];
  return folder === dirname(folder) ? [] : packageOf(dirname(folder));
}

/** Where temporary files go, and the time zone of SQLite's local times. */
function environment(): NodeJS.ProcessEnv {
  const kept = ['TZ', 'TMPDIR', 'SQLITE_TMPDIR', 'SystemRoot', 'TEMP', 'TMP'];
  return Object.fromEntries(kept.map((name) => [name, process.env[name]]).filter(([, value]) => value !== undefined));
}
