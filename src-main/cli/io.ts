import { createInterface } from 'node:readline';
import { styleText } from 'node:util';
import { messageOf } from '../platform/errors.ts';
import { EXIT_OF_ERROR } from './exit-codes.ts';

/** The terminal (or the pipes) of a command; tests use their own. */
export interface Io {
  /** Results only. */
  out(text: string): void;
  /** Messages about the work. */
  err(text: string): void;
  /** All of standard input, up to `limit` bytes; one byte more if there is more. */
  readStdin(limit: number): Promise<Buffer>;
  /** The lines of standard input, as they come. */
  lines(): AsyncIterable<string>;
  /** Calls the listener on Ctrl+C and on a request to end; the returned function removes it. */
  onInterrupt(listener: () => void): () => void;
  /** Whether results go to a terminal with colors. */
  readonly colors: boolean;
}

/**
 * A terminal sends Ctrl+C to every process of the command at once, and the launcher also passes it on: counted once.
 */
const SAME_INTERRUPT_MS = 300;

export function processIo(): Io {
  // A reader that stops early (`| head`) is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    process.stderr.write(`tagwright: Standard output cannot be written: ${messageOf(error)}.\n`);
    process.exit(EXIT_OF_ERROR[error.code === 'ENOSPC' || error.code === 'EDQUOT' ? 'STORAGE_FULL' : 'UNAVAILABLE']);
  });
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    readStdin: async (limit) => {
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of process.stdin) {
        const bytes = Buffer.from(chunk);
        chunks.push(bytes);
        size += bytes.length;
        if (size > limit) break;
      }
      return Buffer.concat(chunks).subarray(0, limit + 1);
    },
    lines: () => createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY }),
    onInterrupt: (listener) => {
      let last = Number.NEGATIVE_INFINITY;
      const signaled = () => {
        const now = performance.now();
        if (now - last < SAME_INTERRUPT_MS) return;
        last = now;
        listener();
      };
      process.on('SIGINT', signaled);
      process.on('SIGTERM', signaled);
      return () => {
        process.off('SIGINT', signaled);
        process.off('SIGTERM', signaled);
      };
    },
    colors: process.stdout.isTTY && process.env['NO_COLOR'] === undefined,
  };
}

/** The text in a color if the terminal has colors. */
export function colored(io: Io, color: 'green' | 'red' | 'yellow' | 'dim', text: string): string {
  return io.colors ? styleText(color, text, { validateStream: false }) : text;
}
