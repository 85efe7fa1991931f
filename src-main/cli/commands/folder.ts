import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { ContextLoss } from '../../exchange/check-folder.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { printable } from '../../platform/report/printable.ts';
import { counted, jsonLine } from '../text.ts';
import type { DropOption } from './tags.ts';
import { lossesText } from './tags.ts';

/** Maximum number of references, and of values, that are listed. */
const MOST_LISTED = 100;

export function addExport(program: Command, context: CommandContext): void {
  const command = program
    .command('export')
    .description(
      'Writes scripts, tags, values, rules, mocks, Diagrams and settings into a folder of text files for Git.',
    )
    .argument('<dir>', 'a new or empty folder, or one from an earlier export');
  withJson(withWorkspace(command)).action(async (folder: string, options: WorkspaceOption & JsonOption) => {
    const { io } = context;
    const { textOfWorkspace, writeFolder } = await import('../../exchange/write-folder.ts');
    const { files, leftOut, missing } = await inSession(context, options, textOfWorkspace);
    const { written, unchanged, removed } = await writeFolder(folder, files);
    if (options.json) return io.out(jsonLine({ folder, written, unchanged, removed, leftOut, missing }));
    for (const file of removed) io.out(`removed ${printable(file)}\n`);
    io.out(
      `${counted(written.length, 'file')} written, ${unchanged} unchanged, ${removed.length} removed in ${folder}\n`,
    );
    for (const key of leftOut) io.out(`the secret in setting ${key} was omitted: set it after the import\n`);
    reportMissing(context, missing);
  });
}

interface FolderImportOptions extends WorkspaceOption, JsonOption, DropOption {
  mirror?: boolean;
}

export function addImport(program: Command, context: CommandContext): void {
  const command = program
    .command('import')
    .description(
      'Imports a folder written by "tagwright export". Items that are not in the folder stay. A workspace that ' +
        'does not exist is created without the sample.',
    )
    .argument('<dir>', 'the folder')
    .option(
      '--mirror',
      'delete scripts, their tests and contexts, tags, mocks, rules and Diagrams that are not in the folder',
    )
    .option(
      '--yes',
      'drop stored values that do not fit a changed type or kind, or whose tag is deleted, and saved contexts',
    );
  withJson(withWorkspace(command)).action(async (folder: string, options: FolderImportOptions) => {
    const { io } = context;
    const { readFolder } = await import('../../exchange/read-folder.ts');
    const { checkFolder } = await import('../../exchange/check-folder.ts');
    const { applyFolder } = await import('../../exchange/apply-folder.ts');
    const given = await readFolder(folder);
    const { mirror = false } = options;
    const directory = context.workspace(options.workspace);
    const importing = basename(resolve(folder));
    const isNew = !existsSync(join(directory, 'workspace.db'));
    // A new workspace gets only the contents of the folder, without the sample.
    const done = await inSession(context, { ...options, empty: true, importing }, async (client) => {
      const { losses, contexts, leftOut, ...checked } = await checkFolder(client, given, mirror);
      if (losses.length + contexts.length > 0 && !options.yes) return { refused: { losses, contexts } };
      return { ...(await applyFolder(client, checked.given, mirror)), leftOut, refused: null };
    });
    if (done.refused) {
      if (options.json) io.out(jsonLine(done.refused));
      if (done.refused.losses.length > 0) io.err(lossesText(done.refused.losses));
      if (done.refused.contexts.length > 0) io.err(contextsText(done.refused.contexts));
      return context.exit(EXIT.refused);
    }
    const { report, missing, leftOut } = done;
    if (isNew) io.err(`Created the workspace ${directory}\n`);
    if (options.json) return io.out(jsonLine({ ...report, missing, leftOut }));
    for (const [sort, { created, updated, unchanged, deleted }] of Object.entries(report)) {
      const gone = mirror ? `, ${deleted} deleted` : '';
      io.out(`${sort.padEnd(9)} ${created} created, ${updated} updated, ${unchanged} unchanged${gone}\n`);
    }
    reportMissing(context, missing);
    reportLines(context, `Skipped ${counted(leftOut.length, 'value')} of tags that do not exist`, leftOut);
  });
}

/** The saved contexts that a mirror would delete. */
function contextsText(losses: readonly ContextLoss[]): string {
  const count = losses.reduce((sum, { names }) => sum + names.length, 0);
  const shown = losses.slice(0, MOST_LISTED);
  const more = losses.length > shown.length ? `  and of ${losses.length - shown.length} more\n` : '';
  const lines = shown.map(({ script, names }) => `  ${printable(script)}: ${names.map(printable).join(', ')}\n`);
  const title = `Nothing was imported: it would delete ${counted(count, 'saved context')} of scripts.`;
  return `${title} To delete them, add --yes.\n${lines.join('')}${more}`;
}

/** Lists references to missing items: they are exported and imported as they are. */
function reportMissing(context: CommandContext, missing: readonly string[]): void {
  reportLines(context, `Kept ${counted(missing.length, 'reference')} to missing items`, missing);
}

function reportLines({ io }: CommandContext, title: string, lines: readonly string[]): void {
  if (lines.length > 0) io.err(`${title}:\n`);
  for (const text of lines.slice(0, MOST_LISTED)) io.err(`  ${printable(text)}\n`);
  if (lines.length > MOST_LISTED) io.err(`  and ${lines.length - MOST_LISTED} more\n`);
}
