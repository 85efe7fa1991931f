import { app } from 'electron';
import type { Settings } from '#domain/settings';

interface FollowedSettings {
  get(): Settings;
  onChange(listener: (settings: Settings) => void): () => void;
}

/**
 * Makes the system open the application at login as `desktop.openAtLogin` says. Windows and macOS know this of
 * applications; Linux and a checkout do not, where nothing happens.
 */
export function followOpenAtLogin(settings: FollowedSettings, directory: string): () => void {
  if (!app.isPackaged || process.platform === 'linux') return () => {};
  const apply = (wanted: boolean) => {
    const known = app.getLoginItemSettings({ args: ['--workspace', directory] });
    if (known.openAtLogin !== wanted) {
      app.setLoginItemSettings({ openAtLogin: wanted, args: ['--workspace', directory] });
    }
  };
  apply(settings.get()['desktop.openAtLogin']);
  return settings.onChange((now) => apply(now['desktop.openAtLogin']));
}
