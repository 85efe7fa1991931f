import { CommanderError } from 'commander';
import type { CommandContext } from './context.ts';
import { EXIT } from './exit-codes.ts';
import { createProgram } from './program.ts';

/** What a command prints when it is asked for help, and its exit code. */
export interface HelpText {
  out: string;
  err: string;
  code: number;
}

/**
 * The help that a command line asks for; null if it asks for something else. For the launcher, in whatever Node started
 * it: this program loads no service and no contract.
 */
export async function helpFor(args: readonly string[], version: string): Promise<HelpText | null> {
  const printed = { out: '', err: '' };
  const isMore = (): never => {
    throw new Error('the command does something');
  };
  const context: CommandContext = {
    io: {
      out: (text) => void (printed.out += text),
      err: (text) => void (printed.err += text),
      readStdin: isMore,
      lines: isMore,
      onInterrupt: isMore,
      colors: false,
    },
    log: { debug: isMore, info: isMore, warn: isMore, error: isMore },
    workspace: isMore,
    connect: isMore,
    holder: isMore,
    doctor: isMore,
    exit: isMore,
  };
  try {
    const program = await createProgram(context, version, args[0]);
    await program.parseAsync(args, { from: 'user' });
    return null;
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) return null;
    return { ...printed, code: thrown.exitCode === 0 ? EXIT.ok : EXIT.usage };
  }
}
