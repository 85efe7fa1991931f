import { Command, CommanderError } from 'commander';
import { ORPCError } from '@orpc/client';
import { z } from 'zod';
import type { ErrorCode } from '#contract/errors';
import { TagwrightError } from '../platform/errors.ts';
import type { CommandContext } from './context.ts';
import { EXIT, EXIT_OF_ERROR } from './exit-codes.ts';
import { addDb } from './commands/db.ts';
import { addCalls } from './commands/calls.ts';
import { addDoctor } from './commands/doctor.ts';
import { addErp } from './commands/erp.ts';
import { addMocks } from './commands/mocks.ts';
import { addBackups } from './commands/backups.ts';
import { addExport, addImport } from './commands/folder.ts';
import { addRules, addFire } from './commands/rules.ts';
import { addOpen, addServe, addSignout, addStart } from './commands/instance.ts';
import { addRun } from './commands/run.ts';
import { addScripts } from './commands/scripts.ts';
import { addSearch } from './commands/search.ts';
import { addSecrets } from './commands/secrets.ts';
import { addSettings } from './commands/settings.ts';
import { addTest } from './commands/test.ts';
import { addTags } from './commands/tags.ts';
import { addWorkspaces } from './commands/workspaces.ts';
import { printable } from './text.ts';

/** The whole command line. Each noun is one file in `commands`. */
export function createProgram(context: CommandContext, version: string): Command {
  const { io } = context;
  const program = new Command('tagwright')
    .description('Writes, runs and tests tag scripts offline.')
    .version(version, '-v, --version', 'prints the version')
    .helpOption('-h, --help', 'prints help')
    .helpCommand('help [command]', 'prints the help of a command')
    .configureOutput({
      writeOut: (text) => io.out(text),
      writeErr: (text) => io.err(text),
    })
    .configureHelp({ subcommandDescription: listed })
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError('Add --help for a list.');
  addStart(program, context);
  addServe(program, context);
  addOpen(program, context);
  addSignout(program, context);
  addRun(program, context);
  addTest(program, context);
  addExport(program, context);
  addImport(program, context);
  addDoctor(program, context);
  addTags(program, context);
  addDb(program, context);
  addErp(program, context);
  addScripts(program, context);
  addMocks(program, context);
  addSearch(program, context);
  addSecrets(program, context);
  addCalls(program, context);
  addRules(program, context);
  addFire(program, context);
  addBackups(program, context);
  addWorkspaces(program, context);
  addSettings(program, context);
  return program;
}

/** The description of a command in lists: like those of its options, in lower case and without a full stop. */
function listed(command: Command): string {
  const said = command.summary() || command.description();
  return said.charAt(0).toLowerCase() + said.slice(1).replace(/\.$/, '');
}

/** Runs one command line, and resolves with its exit code. Errors are written to stderr. */
export async function runProgram(
  args: readonly string[],
  contextWith: (exit: (code: number) => void) => CommandContext,
  version: string,
): Promise<number> {
  let exitCode: number = EXIT.ok;
  const context = contextWith((code) => {
    exitCode = code;
  });
  try {
    await createProgram(context, version).parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (thrown) {
    return exitCodeOf(thrown, context);
  }
}

function exitCodeOf(thrown: unknown, { io, log }: CommandContext): number {
  // Commander has already reported the error; what it throws after --help and --version is not an error.
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.ok : EXIT.usage;
  const { code, message, data } = errorOf(thrown);
  if (code === 'INTERNAL') log.error('the command failed', thrown);
  io.err(`tagwright: ${printable(message)}\n${detailsOf(message, data)}`);
  return EXIT_OF_ERROR[code];
}

function errorOf(thrown: unknown): { code: ErrorCode; message: string; data: unknown } {
  if (thrown instanceof TagwrightError) return thrown;
  if (thrown instanceof ORPCError && isErrorCode(thrown.code)) {
    const { code, data } = thrown;
    const message = thrown.message.replace(INVALID_INPUT, (text) => misfitsOf(data) ?? text);
    return { code, message, data };
  }
  if (thrown instanceof Error && thrown.name === 'AbortError') {
    const message =
      'The running instance ended before it responded. Check whether the change took effect before retrying.';
    return { code: 'UNAVAILABLE', message, data: null };
  }
  const message = 'An internal error of Tagwright occurred; see the lines above for details.';
  return { code: 'INTERNAL', message, data: null };
}

const isErrorCode = (code: unknown): code is ErrorCode => typeof code === 'string' && code in EXIT_OF_ERROR;

const misfits = z.object({
  issues: z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })).min(1),
});

/** The message about the input of an RPC call. An import puts the file and the item before it. */
const INVALID_INPUT = /The input of [\w.]+ is invalid.*$/s;

/** The fields of invalid input, each with its reason; null for other errors. */
function misfitsOf(data: unknown): string | null {
  const { data: found } = misfits.safeParse(data);
  return found?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ') ?? null;
}

/** The items that a Set rejected, one per line; empty if the message already has all of them. */
function detailsOf(message: string, data: unknown): string {
  const failures: unknown = typeof data === 'object' && data !== null && 'failures' in data ? data.failures : null;
  if (!Array.isArray(failures)) return '';
  const shown = failures.map((failure: unknown) =>
    typeof failure === 'object' && failure !== null && 'tag' in failure && 'reason' in failure
      ? { tag: String(failure.tag), reason: String(failure.reason) }
      : { tag: '', reason: '' },
  );
  if (shown.every(({ tag, reason }) => message.includes(tag) && message.includes(reason))) return '';
  return shown.map(({ tag, reason }) => `  ${printable(tag)}: ${printable(reason)}\n`).join('');
}
