import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { BrowserHost } from '../../host/browser-host.ts';
import { TagwrightError } from '../../platform/errors.ts';
import type { CommandContext, WorkspaceOption, JsonOption } from '../context.ts';
import { withWorkspace, runningInstance, withJson } from '../context.ts';
import { jsonLine, counted } from '../text.ts';

export function addStart(program: Command, context: CommandContext): void {
  const command = program
    .command('start')
    .summary('opens the workbench: the desktop window, else a browser')
    .description(
      'Opens the workbench on the workspace: in the desktop window if there is a display and the desktop runtime is installed ' +
        'or can be downloaded, otherwise in the browser. If an instance is already running, opens that.',
    )
    .option('--browser', 'use the browser even if a desktop window is possible');
  withWorkspace(command).action(async (options: WorkspaceOption & { browser?: boolean }) => {
    const directory = context.workspace(options.workspace);
    if (await openRunning(context, directory)) return;
    if (options.browser || !(await openDesktop(context, directory))) await openInBrowserHost(context, directory);
  });
}

/** Opens the workbench of a running instance, if there is one. */
async function openRunning(context: CommandContext, directory: string): Promise<boolean> {
  const { io } = context;
  const running = await context.holder(directory);
  if (!running?.url || !running.token) return false;
  const { requestLink } = await import('../../host/links.ts');
  const ui = await requestLink({ url: running.url, token: running.token });
  if (ui) {
    io.out(`Tagwright is already running on ${directory} (pid ${running.pid}).\nWorkbench  ${ui}\n`);
    const { openInBrowser } = await import('../../host/open-browser.ts');
    await openInBrowser(ui);
  } else {
    io.out(`Tagwright is already running on ${directory} (pid ${running.pid}), without a workbench for browsers.\n`);
  }
  return true;
}

/** Whether the desktop window was shown (and has been closed again); otherwise prints the reason in one line. */
async function openDesktop({ io }: CommandContext, directory: string): Promise<boolean> {
  const { findDesktopRuntime, runDesktop } = await import('../../host/desktop-runtime.ts');
  const runtime = await findDesktopRuntime((text) => io.err(text));
  if ('missing' in runtime) {
    io.err(`No desktop window: ${runtime.missing}. Serving the workbench to the browser instead.\n`);
    return false;
  }
  const ended = await runDesktop(runtime.electron, directory);
  if (ended.shown) return true;
  io.err(`No desktop window: ${ended.why}. Serving the workbench to the browser instead.\n`);
  return false;
}

async function openInBrowserHost(context: CommandContext, directory: string): Promise<void> {
  const { io } = context;
  const [{ openBrowserHost }, { openInBrowser }] = await Promise.all([
    import('../../host/browser-host.ts'),
    import('../../host/open-browser.ts'),
  ]);
  const stopped = interrupted(context);
  const host = await openBrowserHost({ directory, port: undefined, ui: true });
  const ui = host.oneTimeUrl();
  const api = host.eventsApi();
  io.out(`Workspace  ${directory}\nWorkbench  ${ui}\n${api ? `Events API ${api}/api/events\n` : ''}`);
  if (ui && (await openInBrowser(ui))) io.out('Opened in the default browser. The link above works once.\n');
  io.out('Ctrl+C stops it; "npx tagwright open" prints a new link.\n');
  await untilStopped(context, host, stopped);
}

interface ServeOptions extends WorkspaceOption, JsonOption {
  port?: number;
  uiPort?: number;
  metricsPort?: number;
  ui: boolean;
}

function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError('A port must be a number from 0 (a free one) to 65535.');
  return port;
}

export function addServe(program: Command, context: CommandContext): void {
  const command = program
    .command('serve')
    .summary('serves the workbench to browsers on this machine')
    .description(
      'Opens the workspace and serves its workbench on 127.0.0.1, until Ctrl+C or SIGTERM; a second Ctrl+C ends it immediately.',
    )
    .option('--port <n>', 'port of the events API, 0 for a free one (default: the setting events.port)', portNumber)
    .option('--ui-port <n>', 'port of the workbench (default: 4861, or a free one if that is taken)', portNumber)
    .option(
      '--metrics-port <n>',
      'serves metrics for Prometheus on this port of 127.0.0.1, 0 for a free one',
      portNumber,
    )
    .option('--no-ui', 'no workbench: only the command line can use the instance')
    .option('--json', 'print all addresses as one line of JSON');
  withWorkspace(command).action(async (options: ServeOptions) => {
    const { io } = context;
    const directory = context.workspace(options.workspace);
    const { openBrowserHost } = await import('../../host/browser-host.ts');
    const stopped = interrupted(context);
    const { port: eventsPort, uiPort, ui: withUi, metricsPort } = options;
    const host = await openBrowserHost({ directory, port: uiPort, ui: withUi, eventsPort, metricsPort });
    const ui = host.oneTimeUrl();
    const eventsApi = host.eventsApi();
    const { metrics } = host;
    if (options.json) {
      io.out(jsonLine({ eventsApi, ui, ...(metrics && { metrics }), workspace: directory, pid: process.pid }));
    } else {
      const lines = [
        `Workspace  ${directory}`,
        ui && `Workbench  ${ui}`,
        eventsApi && `Events API ${eventsApi}/api/events`,
        metrics && `Metrics    ${metrics}`,
      ];
      io.out(`${lines.filter(Boolean).join('\n')}\nCtrl+C stops it.\n`);
    }
    await untilStopped(context, host, stopped);
  });
}

/** Keeps a host running until it is asked to end, and closes it. Throws if it has lost its workspace. */
async function untilStopped({ io }: CommandContext, host: BrowserHost, stopped: Promise<void>): Promise<void> {
  try {
    await Promise.race([stopped, host.lost]);
    io.err('Stopping…\n');
  } finally {
    await host.close();
  }
}

/** Resolves when the command is asked to end; a second request ends it immediately. */
function interrupted({ io }: CommandContext): Promise<void> {
  return new Promise((resolve) => {
    let requested = false;
    io.onInterrupt(() => {
      if (requested) process.exit(130);
      requested = true;
      resolve();
    });
  });
}

export function addOpen(program: Command, context: CommandContext): void {
  const command = program
    .command('open')
    .summary('opens another browser window on the running instance')
    .description('Gets a new link from the running instance, prints it and opens it in the default browser.')
    .option('--print', 'print the link only');
  withJson(withWorkspace(command)).action(async (options: WorkspaceOption & JsonOption & { print?: boolean }) => {
    const directory = context.workspace(options.workspace);
    const ui = await linkOfInstance(context, directory);
    context.io.out(options.json ? jsonLine({ ui }) : `${ui}\n`);
    if (options.print || options.json) return;
    const { openInBrowser } = await import('../../host/open-browser.ts');
    await openInBrowser(ui);
  });
}

async function linkOfInstance(context: CommandContext, directory: string): Promise<string> {
  const instance = await runningInstance(context, directory);
  const { requestLink } = await import('../../host/links.ts');
  const ui = await requestLink(instance);
  if (ui) return ui;
  throw new TagwrightError(
    'UNAVAILABLE',
    `The instance that holds "${directory}" (pid ${instance.pid}) has no workbench for browsers: it is the desktop window, or was started with --no-ui.`,
  );
}

export function addSignout(program: Command, context: CommandContext): void {
  const command = program
    .command('signout')
    .summary('ends the sessions of all browsers on the running instance')
    .description(
      'Ends the sessions of all browsers on the running instance, with their windows, and all unused links. ' +
        'The desktop window, the command line and the events API are not affected.',
    );
  withJson(withWorkspace(command)).action(async (options: WorkspaceOption & JsonOption) => {
    const instance = await runningInstance(context, context.workspace(options.workspace));
    const { connectInstance } = await import('../../host/instance-client.ts');
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
