import type { Command } from 'commander';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { counted, jsonLine, printable } from './text.ts';
import { isUsed, usageText } from './usage-text.ts';

interface RenameOptions extends WorkspaceOption, JsonOption {
  updateScripts?: boolean;
}

export function addTagsRename(tags: Command, context: CommandContext): void {
  const command = tags
    .command('rename')
    .description('Gives a tag another path. It keeps its values.')
    .argument('<old>', 'the tag')
    .argument('<new>', 'its new path')
    .option('--update-scripts', 'change the path in scripts, in the settings of other tags and in rules too');
  withJson(withWorkspace(command)).action(async (path: string, newPath: string, options: RenameOptions) => {
    const { io } = context;
    const updateScripts = options.updateScripts ?? false;
    const result = await inSession(context, options, (client) => client.tags.rename({ path, newPath, updateScripts }));
    if (options.json) return io.out(jsonLine(result));
    const { scripts, tags: changed, rules, left } = result;
    io.out(`${printable(path)} is ${printable(newPath)} now\n`);
    for (const { group, name, version, literals } of scripts) {
      io.out(`  ${printable(`${group}/${name}`)}: ${counted(literals, 'literal')} changed, version ${version}\n`);
    }
    for (const tag of changed) io.out(`  ${printable(tag)}: settings changed\n`);
    for (const rule of rules) io.out(`  rule ${printable(rule)}: changed\n`);
    if (isUsed(left)) io.err(`The former path is still named here:\n${usageText(left)}`);
  });
}
