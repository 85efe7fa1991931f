import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { app } from 'electron';
import { declareAppProtocol } from './desktop/app-protocol.ts';
import type { DesktopApp } from './desktop/desktop-app.ts';
import { failToOpen, openDesktopApp } from './desktop/desktop-app.ts';
import { LINK_SCHEME, linkIn } from './desktop/deep-link.ts';
import { defaultWorkspace } from './platform/files/paths.ts';

const { values } = parseArgs({
  args: process.argv.slice(app.isPackaged ? 1 : 2),
  options: { workspace: { type: 'string' } },
  // Electron and the system add arguments of their own.
  strict: false,
});
const directory = typeof values.workspace === 'string' ? resolve(values.workspace) : defaultWorkspace();

// The data of the window (zoom, layout) and the lock of "one window" belong to the workspace.
const key = createHash('sha256').update(directory).digest('hex').slice(0, 16);
app.setPath('userData', join(app.getPath('appData'), 'tagwright', 'windows', key));
declareAppProtocol();

if (app.requestSingleInstanceLock()) {
  let running: DesktopApp | undefined;
  let closing = false;
  let startedAgain = false;
  // A link that arrives before the workspace is open waits for it.
  let link = linkIn(process.argv);
  const follow = (requested: string | null) => {
    if (closing) startedAgain = true;
    if (!running || closing) link = requested ?? link;
    else if (requested === null) running.show();
    else running.follow(requested);
  };
  // A start during the shutdown was rejected, because this process still held the workspace; it is repeated now.
  const exit = (code: number) => {
    const args = [...process.argv.slice(1).filter((argument) => linkIn([argument]) === null), ...(link ? [link] : [])];
    const image = process.env['APPIMAGE'];
    if (startedAgain) app.relaunch({ args, ...(image ? { execPath: image } : {}) });
    app.exit(code);
  };
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME);
  app.on('second-instance', (_event, args) => follow(linkIn(args)));
  // macOS does not start the application again for a link.
  app.on('open-url', (event, url) => {
    event.preventDefault();
    follow(url);
  });
  app.on('activate', () => running && follow(null));
  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', (event) => {
    if (!running) return;
    // A second request to end must not overtake the first: the workspace is being closed.
    event.preventDefault();
    if (closing) return;
    closing = true;
    link = null;
    running.close().then(
      () => exit(0),
      () => exit(1),
    );
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => app.quit());
  // The command that started it has ended, maybe killed: nothing is left to stop this process.
  process.once('disconnect', () => app.quit());
  process.channel?.unref();
  const open = async () => {
    await app.whenReady();
    running = await openDesktopApp(directory);
    if (link !== null) running.follow(link);
  };
  open().catch(failToOpen);
} else {
  app.quit();
}
