import { Command, CommanderError } from 'commander';
import { ORPCError } from '@orpc/client';
import { z } from 'zod';
import type { ErrorCode } from '#contract/errors';
import { TagwrightError } from '../platform/errors.ts';
import type { CommandContext } from './context.ts';
import { EXIT, EXIT_OF_ERROR } from './exit-codes.ts';
import { addDbTry } from './db-try.ts';
import { addCallsClear, addCallsList } from './calls-list.ts';
import { addDoctor } from './doctor.ts';
import { addErpClear } from './erp-clear.ts';
import { addErpExport } from './erp-export.ts';
import { addErpList } from './erp-list.ts';
import { addMocksDelete } from './mocks-delete.ts';
import { addMocksExport } from './mocks-export.ts';
import { addMocksImport } from './mocks-import.ts';
import { addMocksList } from './mocks-list.ts';
import { addMocksMode } from './mocks-mode.ts';
import { addBackupsCreate, addBackupsList, addBackupsRestore } from './backups.ts';
import { addExport } from './export.ts';
import { addFire } from './fire.ts';
import { addImport } from './import.ts';
import { addOpen } from './open.ts';
import { addRulesDelete } from './rules-delete.ts';
import { addRulesList } from './rules-list.ts';
import { addRulesSave } from './rules-save.ts';
import { addRulesShow } from './rules-show.ts';
import { addRun } from './run.ts';
import { addScriptsDelete } from './scripts-delete.ts';
import { addScriptsList } from './scripts-list.ts';
import { addScriptsSave } from './scripts-save.ts';
import { addScriptsShow } from './scripts-show.ts';
import { addSecretsDelete } from './secrets-delete.ts';
import { addSecretsList } from './secrets-list.ts';
import { addSecretsSet } from './secrets-set.ts';
import { addServe } from './serve.ts';
import { addSettingsList } from './settings-list.ts';
import { addSettingsSet } from './settings-set.ts';
import { addSignout } from './signout.ts';
import { addStart } from './start.ts';
import { addTest } from './test.ts';
import { addTagsExport } from './tags-export.ts';
import { addTagsGet } from './tags-get.ts';
import { addTagsImport } from './tags-import.ts';
import { addTagsList } from './tags-list.ts';
import { addTagsRename } from './tags-rename.ts';
import { addTagsSet } from './tags-set.ts';
import { addTagsUsage } from './tags-usage.ts';
import { addWorkspacesCopy, addWorkspacesForget, addWorkspacesList, addWorkspacesNew } from './workspaces.ts';
import { printable } from './text.ts';

/** The whole command line; every command of it is a file beside this one. */
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
    .showHelpAfterError('Add --help to see what there is.');
  addStart(program, context);
  addServe(program, context);
  addOpen(program, context);
  addSignout(program, context);
  addRun(program, context);
  addTest(program, context);
  addExport(program, context);
  addImport(program, context);
  addDoctor(program, context);

  const tags = program.command('tags').description('Lists, reads, writes, renames, imports and exports tags.');
  for (const add of [addTagsList, addTagsGet, addTagsSet, addTagsImport, addTagsExport, addTagsUsage, addTagsRename])
    add(tags, context);

  addDbTry(program.command('db').description('Tries SQL on plant.db.'), context);

  const erp = program.command('erp').description('Shows, exports and clears the records that ERP tags sent.');
  for (const add of [addErpList, addErpExport, addErpClear]) add(erp, context);

  const scripts = program.command('scripts').description('Lists, shows, saves and deletes scripts of the library.');
  for (const add of [addScriptsList, addScriptsShow, addScriptsSave, addScriptsDelete]) add(scripts, context);

  const mocks = program
    .command('mocks')
    .description('Lists, imports, exports and deletes mocks, and says what answers API calls.');
  for (const add of [addMocksList, addMocksImport, addMocksExport, addMocksDelete, addMocksMode]) add(mocks, context);

  const secrets = program
    .command('secrets')
    .description('Lists, sets and deletes the secrets that scripts write as {{secret:NAME}}.');
  for (const add of [addSecretsList, addSecretsSet, addSecretsDelete]) add(secrets, context);

  const calls = program.command('calls').description('Shows and clears the API calls that scripts made.');
  for (const add of [addCallsList, addCallsClear]) add(calls, context);

  const rules = program.command('rules').description('Lists, shows, saves and deletes aggregation rules.');
  for (const add of [addRulesList, addRulesShow, addRulesSave, addRulesDelete]) add(rules, context);
  addFire(program, context);

  const backups = program.command('backups').description('Lists, makes and restores backups of the workspace.');
  for (const add of [addBackupsList, addBackupsCreate, addBackupsRestore]) add(backups, context);

  const workspaces = program.command('workspaces').description('Lists, makes and copies workspaces.');
  for (const add of [addWorkspacesList, addWorkspacesNew, addWorkspacesCopy, addWorkspacesForget])
    add(workspaces, context);

  const settings = program.command('settings').description('Shows and changes the settings of the workspace.');
  for (const add of [addSettingsList, addSettingsSet]) add(settings, context);
  return program;
}

/** What a list of commands says of one: as its options do, in lower case and without a full stop. */
function listed(command: Command): string {
  const said = command.summary() || command.description();
  return said.charAt(0).toLowerCase() + said.slice(1).replace(/\.$/, '');
}

/** Runs one command line, and resolves with its exit code. What goes wrong is said on stderr. */
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
  // Commander has said already what was wrong; what it throws after --help and --version is no error.
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.ok : EXIT.usage;
  const { code, message, data } = errorOf(thrown);
  if (code === 'INTERNAL') log.error('the command failed', thrown);
  io.err(`tagwright: ${printable(message)}\n${detailsOf(message, data)}`);
  return EXIT_OF_ERROR[code];
}

function errorOf(thrown: unknown): { code: ErrorCode; message: string; data: unknown } {
  if (thrown instanceof TagwrightError) return thrown;
  if (thrown instanceof ORPCError && isErrorCode(thrown.code)) {
    return { code: thrown.code, message: misfitsOf(thrown.data) ?? thrown.message, data: thrown.data };
  }
  if (thrown instanceof Error && thrown.name === 'AbortError') {
    const message = 'The running instance ended before it answered. Look whether it was done, then try again.';
    return { code: 'UNAVAILABLE', message, data: null };
  }
  const message = 'Something went wrong that is a fault of Tagwright itself; the lines above say more.';
  return { code: 'INTERNAL', message, data: null };
}

const isErrorCode = (code: unknown): code is ErrorCode => typeof code === 'string' && code in EXIT_OF_ERROR;

const misfits = z.object({
  issues: z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })).min(1),
});

/** What does not fit, without the name of the call that a command made of it; null where that is not what went wrong. */
function misfitsOf(data: unknown): string | null {
  const { data: found } = misfits.safeParse(data);
  return found?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ') ?? null;
}

/** The items that a Set refused, each on a line; nothing where the message has said it of all of them. */
function detailsOf(message: string, data: unknown): string {
  const failures: unknown = typeof data === 'object' && data !== null && 'failures' in data ? data.failures : null;
  if (!Array.isArray(failures)) return '';
  const told = failures.map((failure: unknown) =>
    typeof failure === 'object' && failure !== null && 'tag' in failure && 'reason' in failure
      ? { tag: String(failure.tag), reason: String(failure.reason) }
      : { tag: '', reason: '' },
  );
  if (told.every(({ tag, reason }) => message.includes(tag) && message.includes(reason))) return '';
  return told.map(({ tag, reason }) => `  ${printable(tag)}: ${printable(reason)}\n`).join('');
}
