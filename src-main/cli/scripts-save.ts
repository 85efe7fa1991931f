import type { Command } from 'commander';
import { nameKey } from '#domain/text/name-key';
import type { Client } from '../host/instance-client.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { parseScriptName, readBody } from './input.ts';
import { jsonLine } from './text.ts';

interface SaveOptions extends WorkspaceOption, JsonOption {
  description?: string;
}

export function addScriptsSave(scripts: Command, context: CommandContext): void {
  const command = scripts
    .command('save')
    .description('Saves a file as a script of the library: a new one, or the next version of the one of that name.')
    .argument('<group/name>', 'the script; a group that does not exist is made')
    .argument('<file>', 'file with the body, or - for standard input')
    .option('--description <text>', 'what the script does (default: as it was)');
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

/** The script of that name (letter case does not tell names apart), or undefined when it is a new one. */
async function storedAs(client: Client, { group, name }: { group: string; name: string }) {
  const { scripts } = await client.scripts.list();
  return scripts.find((script) => nameKey(script.group) === nameKey(group) && nameKey(script.name) === nameKey(name));
}
