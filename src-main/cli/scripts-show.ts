import type { Command } from 'commander';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { parseScriptName } from './input.ts';
import { jsonLine } from './text.ts';

export function addScriptsShow(scripts: Command, context: CommandContext): void {
  const command = scripts
    .command('show')
    .description('Prints the body of a script as it is saved, so that it can go to a file; with --json all of it.')
    .argument('<group/name>', 'the script');
  withJson(withWorkspace(command)).action(async (text: string, options: WorkspaceOption & JsonOption) => {
    const name = parseScriptName(text);
    const script = await inSession(context, options, (client) => client.scripts.get(name));
    context.io.out(options.json ? jsonLine(script) : script.body);
  });
}
