import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { app } from 'electron';
import type { Settings } from '#domain/workspace/settings';
import { messageOf } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';

interface LoginSettings {
  get(): Settings;
  onChange(listener: (settings: Settings) => void): () => void;
}

/**
 * Makes the system open the application at login, with this workspace, depending on `desktop.openAtLogin`: Windows and
 * macOS by their own lists, Linux by a file in the autostart folder of the desktop. Has no effect in a checkout, which
 * no system can start. A failure is logged.
 */
export function followOpenAtLogin(settings: LoginSettings, directory: string, log: Log): () => void {
  if (!app.isPackaged) return () => {};
  const args = ['--workspace', directory];
  const set = process.platform === 'linux' ? setAutostart : setLoginItem;
  const apply = (wanted: boolean) => {
    try {
      set(wanted, args);
    } catch (thrown) {
      log.warn('opening at login could not be set', { why: messageOf(thrown) });
    }
  };
  let now = settings.get()['desktop.openAtLogin'];
  apply(now);
  return settings.onChange((changed) => {
    if (changed['desktop.openAtLogin'] === now) return;
    now = changed['desktop.openAtLogin'];
    apply(now);
  });
}

function setLoginItem(wanted: boolean, args: string[]): void {
  if (app.getLoginItemSettings({ args }).openAtLogin !== wanted)
    app.setLoginItemSettings({ openAtLogin: wanted, args });
}

/** A file of the XDG autostart specification; each workspace has its own. */
function setAutostart(wanted: boolean, args: string[]): void {
  const folder = join(app.getPath('appData'), 'autostart');
  const file = join(folder, `tagwright-${basename(app.getPath('userData'))}.desktop`);
  if (!wanted) return rmSync(file, { force: true });
  // An AppImage is mounted elsewhere at every start; this names its file.
  const program = process.env['APPIMAGE'] ?? process.execPath;
  const lines = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Tagwright',
    `Exec=${[program, ...args].map(quoted).join(' ')}`,
    'Terminal=false',
    '',
  ];
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, lines.join('\n'));
}

/** In the format of the Exec key: quoted for its own parser, and that text escaped like every value of the file. */
function quoted(argument: string): string {
  const inQuotes = argument.replaceAll('%', '%%').replaceAll(/["`$\\]/g, String.raw`\$&`);
  return `"${inQuotes}"`.replaceAll('\\', '\\\\').replaceAll('\n', String.raw`\n`);
}
