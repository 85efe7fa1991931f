import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Settings } from '#domain/workspace/settings';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import { followOpenAtLogin } from '../../../src-main/desktop/open-at-login.ts';
import { Listeners } from '../../../src-main/platform/events.ts';
import { createLog } from '../../../src-main/platform/log.ts';
import { app } from '../../support/electron-double/electron.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

vi.mock('electron', () => import('../../support/electron-double/electron.ts'));

const WORKSPACE = '/home/me/plants/100% "new" $HOME';
const log = createLog();

function settingsOf() {
  const changed = new Listeners<Settings>();
  let now: Settings = DEFAULT_SETTINGS;
  return {
    get: () => now,
    onChange: (listener: (settings: Settings) => void) => changed.add(listener),
    open: (wanted: boolean) => {
      now = { ...now, 'desktop.openAtLogin': wanted };
      changed.emit(now);
    },
  };
}

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
  app.setPath('appData', folder);
  app.setPath('userData', join(folder, 'tagwright', 'windows', 'abc123'));
  app.isPackaged = true;
  app.setLoginItemSettings({ openAtLogin: false });
});
afterEach(() => {
  app.isPackaged = false;
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});
const on = (platform: NodeJS.Platform) => vi.spyOn(process, 'platform', 'get').mockReturnValue(platform);

test('Windows and macOS are configured with the workspace, and when it is disabled', () => {
  for (const platform of ['win32', 'darwin'] as const) {
    on(platform);
    const settings = settingsOf();
    const end = followOpenAtLogin(settings, WORKSPACE, log);
    expect(app.loginItem.openAtLogin).toBe(false);
    settings.open(true);
    expect(app.loginItem).toEqual({ openAtLogin: true, args: ['--workspace', WORKSPACE] });
    settings.open(false);
    expect(app.loginItem.openAtLogin).toBe(false);
    end();
    settings.open(true);
    expect(app.loginItem.openAtLogin).toBe(false);
  }
});

test('Linux gets an autostart file with the program and the workspace', () => {
  on('linux');
  vi.stubEnv('APPIMAGE', '/opt/Tagwright.AppImage');
  const settings = settingsOf();
  followOpenAtLogin(settings, WORKSPACE, log);
  const file = join(folder, 'autostart', 'tagwright-abc123.desktop');
  expect(existsSync(file)).toBe(false);
  settings.open(true);
  expect(readFileSync(file, 'utf8').split('\n')).toEqual([
    '[Desktop Entry]',
    'Type=Application',
    'Name=Tagwright',
    String.raw`Exec="/opt/Tagwright.AppImage" "--workspace" "/home/me/plants/100%% \\"new\\" \\$HOME"`,
    'Terminal=false',
    '',
  ]);
  settings.open(false);
  expect(readdirSync(join(folder, 'autostart'))).toEqual([]);
});

test('a folder that cannot be written does not stop the start', () => {
  on('linux');
  writeFileSync(join(folder, 'autostart'), 'a file');
  const warn = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const settings = settingsOf();
  followOpenAtLogin(settings, WORKSPACE, log);
  expect(() => settings.open(true)).not.toThrow();
  expect(warn.mock.calls.flat().join('')).toContain('opening at login could not be set');
});

test('a checkout is never opened at login', () => {
  app.isPackaged = false;
  on('win32');
  const settings = settingsOf();
  followOpenAtLogin(settings, WORKSPACE, log);
  settings.open(true);
  expect(app.loginItem.openAtLogin).toBe(false);
});
