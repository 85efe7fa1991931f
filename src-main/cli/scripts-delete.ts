import type { Command } from 'commander';
import type { CommandContext, WorkspaceOption } from './context.ts';
import { inSession, withWorkspace } from './context.ts';
import { parseScriptName } from './input.ts';

export function addScriptsDelete(scripts: Command, context: CommandContext): void {
  const command = scripts
    .command('delete')
    .description('Deletes a script. Its versions are kept, and the workbench can restore it.')
    .argument('<group/name>', 'the script');
  withWorkspace(command).action(async (text: string, options: WorkspaceOption) => {
    const name = parseScriptName(text);
    const script = await inSession(context, options, async (client) => {
      const found = await client.scripts.get(name);
      await client.scripts.delete({ id: found.id });
      return found;
    });
    context.io.out(`Deleted ${script.group}/${script.name}\n`);
  });
}
