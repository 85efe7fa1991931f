import type { BrowserWindow } from 'electron';
import { dialog } from 'electron';
import type { Log } from '../platform/log.ts';

/**
 * Offers to reload a page whose process has crashed, and to wait for or reload one that does not respond. Drafts are in
 * the workspace, so that a reloaded page has them again.
 */
export function watchPage(window: BrowserWindow, log: Log): void {
  const { webContents } = window;
  let asking: AbortController | null = null;
  /** The process is ended because the user wants to reload the page: no reason to prompt. */
  let replacing = false;

  const ask = async (message: string, detail: string, buttons: [string, string]): Promise<number | null> => {
    asking?.abort();
    const mine = (asking = new AbortController());
    const options = {
      type: 'warning' as const,
      title: 'Tagwright',
      message,
      detail,
      buttons,
      defaultId: 0,
      cancelId: 1,
    };
    const { response } = await dialog.showMessageBox(window, { ...options, signal: mine.signal });
    const withdrawn = mine.signal.aborted;
    if (asking === mine) asking = null;
    return withdrawn || window.isDestroyed() ? null : response;
  };

  webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    if (replacing) {
      replacing = false;
      webContents.reload();
      return;
    }
    log.error('the process of a window has ended', new Error(`${reason} (exit code ${exitCode})`));
    const detail = 'Drafts are kept. Scripts, rules and the events API continue.';
    const choice = ask(`The window has stopped working (${reason}).`, detail, ['Reload', 'Close the window']);
    void choice.then((button) => {
      if (button === 0) webContents.reload();
      else if (button === 1) window.destroy();
    });
  });
  window.on('unresponsive', () => {
    log.warn('a window does not respond');
    const detail = 'Waiting keeps everything. Reloading keeps drafts; text from the last second may be lost.';
    const choice = ask('The window does not respond.', detail, ['Wait', 'Reload']);
    void choice.then((button) => {
      if (button !== 1) return;
      // Only a page whose process has ended can be reloaded at once: a busy one would finish its work first.
      replacing = true;
      webContents.forcefullyCrashRenderer();
    });
  });
  window.on('responsive', () => asking?.abort());
}
