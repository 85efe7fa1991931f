import { Command, CommanderError } from 'commander';
import type { CommandContext } from './context.ts';
import { EXIT } from './exit-codes.ts';
import { addDebug } from './commands/debug.ts';
import { addDb } from './commands/db.ts';
import { addCalls } from './commands/calls.ts';
import { addDoctor } from './commands/doctor.ts';
import { addErp } from './commands/erp.ts';
import { addJournal, addWhy } from './journal/journal-command.ts';
import { addMocks } from './commands/mocks.ts';
import { addBackups } from './commands/backups.ts';
import { addCompare } from './compare/compare-command.ts';
import { addFailures } from './failures/failures-command.ts';
import { addConsumers } from './consumers/consumers-command.ts';
import { addGateway } from './hub/gateway-command.ts';
import { addExport, addImport } from './commands/folder.ts';
import { addRules, addFire } from './commands/rules.ts';
import { addLens } from './lens/lens-command.ts';
import { addOpen, addServe, addSignout, addStart } from './commands/instance.ts';
import { addReplay, addRun } from './commands/run.ts';
import { addScripts } from './commands/scripts.ts';
import { addSearch } from './commands/search.ts';
import { addSecrets } from './commands/secrets.ts';
import { addSettings } from './commands/settings.ts';
import { addTest, addTests } from './commands/test.ts';
import { addTags } from './commands/tags.ts';
import { addHub } from './hub/hub-command.ts';
import { addWebhooks } from './webhooks/webhooks-command.ts';
import { addWorkspaces } from './commands/workspaces.ts';

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
  addDebug(program, context);
  addTest(program, context);
  addTests(program, context);
  addReplay(program, context);
  addCompare(program, context);
  addFailures(program, context);
  addLens(program, context);
  addWhy(program, context);
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
  addJournal(program, context);
  addConsumers(program, context);
  addRules(program, context);
  addFire(program, context);
  addWebhooks(program, context);
  addHub(program, context);
  addGateway(program, context);
  addBackups(program, context);
  addWorkspaces(program, context);
  addSettings(program, context);
  return program;
}

/** The description of a command in lists: like those of its options, in lower case and without a full stop. */
function listed(command: Command): string {
  const text = command.summary() || command.description();
  return text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');
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
    // Commander has already reported the error; what it throws after --help and --version is not an error.
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const { reportFailure } = await import('./failure.ts');
    return reportFailure(thrown, context);
  }
}
