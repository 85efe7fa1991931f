import type { Command } from 'commander';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { runningInstance, withJson, withWorkspace } from './context.ts';
import { counted, jsonLine } from './text.ts';

export function addSignout(program: Command, context: CommandContext): void {
  const command = program
    .command('signout')
    .summary('ends the sessions of all browsers on the running instance')
    .description(
      'Ends the sessions of all browsers on the running instance, with their windows, and all unused links.\n' +
        'The desktop window, the command line and the events API are not affected.',
    );
  withJson(withWorkspace(command)).action(async (options: WorkspaceOption & JsonOption) => {
    const instance = await runningInstance(context, context.workspace(options.workspace));
    const { connectInstance } = await import('../host/instance-client.ts');
    const connection = await connectInstance(instance);
    try {
      const ended = await connection.client.app.signOut();
      context.io.out(
        options.json ? jsonLine(ended) : `Ended ${counted(ended.sessions, 'browser session')} and all unused links.\n`,
      );
    } finally {
      connection.close();
    }
  });
}
