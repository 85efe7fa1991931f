import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Io } from './io.ts';

/** What somebody types, unseen; null where no terminal is there to ask. Ctrl+C ends the process as usual. */
export async function promptHidden(io: Io, question: string): Promise<string | null> {
  if (!process.stdin.isTTY) return null;
  io.err(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  lines.once('SIGINT', () => {
    lines.close();
    process.kill(process.pid, 'SIGINT');
  });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    io.err('\n');
  }
}
