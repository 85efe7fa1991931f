import { Command, CommanderError } from 'commander';
import type { CommandContext } from './context.ts';
import { EXIT } from './exit-codes.ts';

/** The commands, in the order of the help. Each noun is one file in `commands`, or one folder. */
const COMMANDS: Record<string, () => Promise<(program: Command, context: CommandContext) => void>> = {
  start: async () => (await import('./commands/instance.ts')).addStart,
  serve: async () => (await import('./commands/instance.ts')).addServe,
  open: async () => (await import('./commands/instance.ts')).addOpen,
  signout: async () => (await import('./commands/instance.ts')).addSignout,
  run: async () => (await import('./commands/run.ts')).addRun,
  debug: async () => (await import('./commands/debug.ts')).addDebug,
  test: async () => (await import('./commands/test.ts')).addTest,
  tests: async () => (await import('./commands/test.ts')).addTests,
  replay: async () => (await import('./commands/run.ts')).addReplay,
  compare: async () => (await import('./compare/compare-command.ts')).addCompare,
  failures: async () => (await import('./failures/failures-command.ts')).addFailures,
  lens: async () => (await import('./lens/lens-command.ts')).addLens,
  why: async () => (await import('./journal/journal-command.ts')).addWhy,
  export: async () => (await import('./commands/folder.ts')).addExport,
  import: async () => (await import('./commands/folder.ts')).addImport,
  doctor: async () => (await import('./commands/doctor.ts')).addDoctor,
  tags: async () => (await import('./commands/tags.ts')).addTags,
  db: async () => (await import('./commands/db.ts')).addDb,
  erp: async () => (await import('./commands/erp.ts')).addErp,
  scripts: async () => (await import('./commands/scripts.ts')).addScripts,
  mocks: async () => (await import('./commands/mocks.ts')).addMocks,
  search: async () => (await import('./commands/search.ts')).addSearch,
  secrets: async () => (await import('./commands/secrets.ts')).addSecrets,
  calls: async () => (await import('./commands/calls.ts')).addCalls,
  journal: async () => (await import('./journal/journal-command.ts')).addJournal,
  consumers: async () => (await import('./consumers/consumers-command.ts')).addConsumers,
  rules: async () => (await import('./commands/rules.ts')).addRules,
  fire: async () => (await import('./commands/rules.ts')).addFire,
  webhooks: async () => (await import('./webhooks/webhooks-command.ts')).addWebhooks,
  hub: async () => (await import('./hub/hub-command.ts')).addHub,
  gateway: async () => (await import('./hub/gateway-command.ts')).addGateway,
  backups: async () => (await import('./commands/backups.ts')).addBackups,
  workspaces: async () => (await import('./commands/workspaces.ts')).addWorkspaces,
  settings: async () => (await import('./commands/settings.ts')).addSettings,
};

/** The command line: only the requested command, because defining all takes longer than many of them, or all for a list. */
export async function createProgram(context: CommandContext, version: string, command = ''): Promise<Command> {
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
  const only = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  for (const load of only ? [only] : Object.values(COMMANDS)) (await load())(program, context);
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
    const program = await createProgram(context, version, args[0]);
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (thrown) {
    // Commander has already reported the error; what it throws after --help and --version is not an error.
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const { reportFailure } = await import('./failure.ts');
    return reportFailure(thrown, context);
  }
}
