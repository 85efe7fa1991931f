import type { Ended } from './product.ts';
import { runCommandLine } from '../../../src-main/cli/main.ts';
import { createLog } from '../../../src-main/platform/log.ts';

/**
 * Runs a command line to its end in this process, which takes a quarter of the processor time of a separate one. Tests
 * of the launcher, signals, the terminal and exit codes start a process: `tagwright` of `product.ts`.
 */
export async function commandLine(args: string[], { stdin = '' }: { stdin?: string } = {}): Promise<Ended> {
  const started = performance.now();
  const printed = { out: '', err: '' };
  const err = (text: string) => void (printed.err += text);
  const io = {
    out: (text: string) => void (printed.out += text),
    err,
    readStdin: async (limit: number) => Buffer.from(stdin).subarray(0, limit + 1),
    async *lines() {
      yield* stdin.split('\n');
    },
    onInterrupt: () => () => undefined,
    colors: false,
  };
  const code = await runCommandLine(args, io, createLog({ level: 'warn', write: err }));
  return { code, ...printed, ms: performance.now() - started };
}
