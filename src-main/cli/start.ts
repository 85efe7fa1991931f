import type { Command } from 'commander';
import type { CommandContext, WorkspaceOption } from './context.ts';
import { withWorkspace } from './context.ts';
import { interrupted, untilStopped } from './serve.ts';

export function addStart(program: Command, context: CommandContext): void {
  const command = program
    .command('start')
    .summary('opens the workbench: the desktop window, else a browser')
    .description(
      'Opens the workbench on the workspace: in the desktop window where there is a display and the desktop runtime is\n' +
        'there or can be fetched, else in the browser. Where an instance runs already, opens that.',
    )
    .option('--browser', 'the browser even where the desktop window is possible');
  withWorkspace(command).action(async (options: WorkspaceOption & { browser?: boolean }) => {
    const directory = context.workspace(options.workspace);
    if (await openRunning(context, directory)) return;
    if (options.browser || !(await openDesktop(context, directory))) await openInBrowserHost(context, directory);
  });
}

/** Opens what runs on the workspace already. */
async function openRunning(context: CommandContext, directory: string): Promise<boolean> {
  const { io } = context;
  const running = await context.holder(directory);
  if (!running?.url || !running.token) return false;
  const { askForLink } = await import('../host/links.ts');
  const ui = await askForLink({ url: running.url, token: running.token });
  if (ui) {
    io.out(`Tagwright runs already on ${directory} (pid ${running.pid}).\nWorkbench  ${ui}\n`);
    const { openInBrowser } = await import('../host/open-browser.ts');
    await openInBrowser(ui);
  } else {
    io.out(`Tagwright runs already on ${directory} (pid ${running.pid}), without a workbench for browsers.\n`);
  }
  return true;
}

/** Whether the desktop window was shown (and has been closed again); else one line says why not. */
async function openDesktop({ io }: CommandContext, directory: string): Promise<boolean> {
  const { findDesktopRuntime, runDesktop } = await import('../host/desktop-runtime.ts');
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
    import('../host/browser-host.ts'),
    import('../host/open-browser.ts'),
  ]);
  const stopped = interrupted(context);
  const host = await openBrowserHost({ directory, port: undefined, ui: true });
  const ui = host.oneTimeUrl();
  const api = host.eventsApi();
  io.out(`Workspace  ${directory}\nWorkbench  ${ui}\n${api ? `Events API ${api}/api/events\n` : ''}`);
  if (ui && (await openInBrowser(ui))) io.out('Opened in the default browser. The link above works once.\n');
  io.out('Ctrl+C stops it; "npx tagwright open" gives a fresh link.\n');
  await untilStopped(context, host, stopped);
}
