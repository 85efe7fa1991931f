import type { Command } from 'commander';
import { TagwrightError } from '../platform/errors.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { runningInstance, withJson, withWorkspace } from './context.ts';
import { jsonLine } from './text.ts';

export function addOpen(program: Command, context: CommandContext): void {
  const command = program
    .command('open')
    .summary('opens one more browser window on the running instance')
    .description('Asks the running instance for a fresh link, prints it and opens it in the default browser.')
    .option('--print', 'print the link only');
  withJson(withWorkspace(command)).action(async (options: WorkspaceOption & JsonOption & { print?: boolean }) => {
    const directory = context.workspace(options.workspace);
    const ui = await linkOfInstance(context, directory);
    context.io.out(options.json ? jsonLine({ ui }) : `${ui}\n`);
    if (options.print || options.json) return;
    const { openInBrowser } = await import('../host/open-browser.ts');
    await openInBrowser(ui);
  });
}

async function linkOfInstance(context: CommandContext, directory: string): Promise<string> {
  const instance = await runningInstance(context, directory);
  const { askForLink } = await import('../host/links.ts');
  const ui = await askForLink(instance);
  if (ui) return ui;
  throw new TagwrightError(
    'UNAVAILABLE',
    `The instance that holds "${directory}" (pid ${instance.pid}) has no workbench for browsers: it is the desktop window, or was started with --no-ui.`,
  );
}
