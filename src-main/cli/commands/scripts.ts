import type { Command } from 'commander';
import { nameKey } from '#domain/text/name-key';
import type { ScriptUsage } from '#domain/tag/usage';
import { countsOfScript, countsText } from '#domain/tag/usage';
import type { InstanceClient } from '../../host/instance-client.ts';
import { TagwrightError } from '../../platform/errors.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { printable } from '../../platform/report/printable.ts';
import { cell, counted, jsonLine, listedMoment, table } from '../text.ts';
import { parseScriptName, readBody } from '../input.ts';
import { scriptUsageText } from '../usage-text.ts';

/** The command group `scripts`. */
export function addScripts(program: Command, context: CommandContext): void {
  const scripts = program.command('scripts').description('Lists, shows, saves and deletes scripts of the library.');
  for (const add of [addScriptsList, addScriptsShow, addScriptsSave, addScriptsDelete]) add(scripts, context);
}

function addScriptsList(scripts: Command, context: CommandContext): void {
  const command = scripts
    .command('list')
    .description('Lists the scripts of the library with their version and description.');
  withJson(withWorkspace(command)).action(async (options: WorkspaceOption & JsonOption) => {
    const library = await inSession(context, options, (client) => client.scripts.list());
    if (options.json) return context.io.out(jsonLine(library));
    const rows = library.scripts.map(({ group, name, version, savedAt, description }) => [
      `${group}/${name}`,
      String(version),
      listedMoment(savedAt),
      cell(description),
    ]);
    context.io.out(table([['GROUP/NAME', 'VERSION', 'SAVED (UTC)', 'DESCRIPTION'], ...rows]));
    context.io.err(`${counted(rows.length, 'script')} in ${counted(library.groups.length, 'group')}\n`);
  });
}

function addScriptsShow(scripts: Command, context: CommandContext): void {
  const command = scripts
    .command('show')
    .description('Prints the body of a saved script; with --json, the whole script.')
    .argument('<group/name>', 'the script');
  withJson(withWorkspace(command)).action(async (text: string, options: WorkspaceOption & JsonOption) => {
    const name = parseScriptName(text);
    const script = await inSession(context, options, (client) => client.scripts.get(name));
    context.io.out(options.json ? jsonLine(script) : script.body);
  });
}

interface SaveOptions extends WorkspaceOption, JsonOption {
  description?: string;
}

function addScriptsSave(scripts: Command, context: CommandContext): void {
  const command = scripts
    .command('save')
    .description('Saves a file as a script of the library: a new one, or the next version of an existing one.')
    .argument('<group/name>', 'the script; a missing group is created')
    .argument('<file>', 'file with the body, or - for standard input')
    .option('--description <text>', 'what the script does (default: unchanged)');
  withJson(withWorkspace(command)).action(async (text: string, file: string, options: SaveOptions) => {
    const name = parseScriptName(text);
    const body = await readBody(context.io, file);
    const saved = await inSession(context, options, async (client) => {
      const stored = await storedAs(client, name);
      return client.scripts.save({
        ...name,
        body,
        description: options.description ?? stored?.description ?? '',
        ...(stored && { id: stored.id, baseVersion: stored.version }),
      });
    });
    context.io.out(options.json ? jsonLine(saved) : `Saved ${saved.group}/${saved.name}, version ${saved.version}\n`);
  });
}

/** The script with that name, regardless of case, or undefined if it is a new one. */
async function storedAs(client: InstanceClient, { group, name }: { group: string; name: string }) {
  const { scripts } = await client.scripts.list();
  return scripts.find((script) => nameKey(script.group) === nameKey(group) && nameKey(script.name) === nameKey(name));
}

interface ScriptDeleteOptions extends WorkspaceOption, JsonOption {
  yes?: boolean;
}

function addScriptsDelete(scripts: Command, context: CommandContext): void {
  const command = scripts
    .command('delete')
    .description(
      'Deletes a script. If tags, tests or other items use it, the command lists them and needs --yes. Its versions are kept, and you ' +
        'can restore it in the workbench.',
    )
    .argument('<group/name>', 'the script')
    .option('-y, --yes', 'delete the script even if it is used');
  withJson(withWorkspace(command)).action(async (text: string, options: ScriptDeleteOptions) => {
    const { io } = context;
    const name = parseScriptName(text);
    const deleted = await inSession(context, options, async (client) => {
      const found = await client.scripts.get(name);
      const uses = await client.scripts.usage({ id: found.id });
      const counts = countsOfScript(uses);
      if (countsText(counts) !== '' && !options.yes) throw inUse(found, uses);
      await client.scripts.delete({ id: found.id });
      return { name: `${found.group}/${found.name}`, uses: counts };
    });
    if (options.json) return io.out(jsonLine({ deleted: deleted.name, uses: deleted.uses }));
    io.out(`Deleted ${printable(deleted.name)}\n`);
    const used = countsText(deleted.uses);
    if (used !== '') io.err(`It is still used by ${used}; restore it or change them.\n`);
  });
}

/** The rejection of a delete, with the references to the script. */
function inUse({ group, name }: { group: string; name: string }, uses: ScriptUsage): TagwrightError {
  const used = countsText(countsOfScript(uses));
  return new TagwrightError(
    'CONFLICT',
    `${group}/${name} is used by ${used}; nothing was deleted. Add --yes to delete it anyway.\n${scriptUsageText(uses).trimEnd()}`,
  );
}
