import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { BrowserHost } from '../host/browser-host.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { withWorkspace } from './context.ts';
import { jsonLine } from './text.ts';

interface ServeOptions extends WorkspaceOption, JsonOption {
  port?: number;
  uiPort?: number;
  ui: boolean;
}

export function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError('A port is a number from 0 (a free one) to 65535.');
  return port;
}

export function addServe(program: Command, context: CommandContext): void {
  const command = program
    .command('serve')
    .summary('serves the workbench to browsers on this machine')
    .description(
      'Opens the workspace and serves its workbench on 127.0.0.1, until Ctrl+C or SIGTERM; a second Ctrl+C does not wait.',
    )
    .option('--port <n>', 'port of the events API, 0 for a free one (default: the setting events.port)', portNumber)
    .option('--ui-port <n>', 'port of the workbench (default: 4861 or, where that is taken, a free one)', portNumber)
    .option('--no-ui', 'no workbench: only the command line can use the instance')
    .option('--json', 'print where everything is as one line of JSON');
  withWorkspace(command).action(async (options: ServeOptions) => {
    const { io } = context;
    const directory = context.workspace(options.workspace);
    const { openBrowserHost } = await import('../host/browser-host.ts');
    const stopped = interrupted(context);
    const { port: eventsPort, uiPort, ui: withUi } = options;
    const host = await openBrowserHost({ directory, port: uiPort, ui: withUi, eventsPort });
    const ui = host.oneTimeUrl();
    const eventsApi = host.eventsApi();
    if (options.json) io.out(jsonLine({ eventsApi, ui, workspace: directory, pid: process.pid }));
    else {
      const lines = [
        `Workspace  ${directory}`,
        ui && `Workbench  ${ui}`,
        eventsApi && `Events API ${eventsApi}/api/events`,
      ];
      io.out(`${lines.filter(Boolean).join('\n')}\nCtrl+C stops it.\n`);
    }
    await untilStopped(context, host, stopped);
  });
}

/** Keeps a host until it is asked to end, and closes it. Throws why it has lost its workspace. */
export async function untilStopped({ io }: CommandContext, host: BrowserHost, stopped: Promise<void>): Promise<void> {
  try {
    await Promise.race([stopped, host.lost]);
    io.err('Stopping…\n');
  } finally {
    await host.close();
  }
}

/** Resolves when the command is asked to end; asked again, it ends without further ado. */
export function interrupted({ io }: CommandContext): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    io.onInterrupt(() => {
      if (asked) process.exit(130);
      asked = true;
      resolve();
    });
  });
}
