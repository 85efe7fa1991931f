import type { BrowserWindow } from 'electron';
import { dialog } from 'electron';
import type { DesktopRequest } from '#contract/bridge';
import { applyFolder } from '../exchange/apply-folder.ts';
import { readFolder } from '../exchange/read-folder.ts';
import { textOfWorkspace, writeFolder } from '../exchange/write-folder.ts';
import type { InstanceClient } from '../host/instance-client.ts';
import { messageOf } from '../platform/errors.ts';

/** Asks for a folder and exports the workspace into it; resolves to the message to show, null if cancelled. */
export function exportToFolder(window: BrowserWindow, client: InstanceClient): Promise<DesktopRequest | null> {
  return noticeOf('The workspace was not exported', async () => {
    const folder = await chosen(window, 'Export the workspace to a folder', 'Export', ['createDirectory']);
    if (folder === null) return null;
    const { files, leftOut } = await textOfWorkspace(client);
    const { written, unchanged, removed } = await writeFolder(folder, files);
    const secrets = leftOut.length > 0 ? ` Omitted because they are secret: ${leftOut.join(', ')}.` : '';
    const body = `${written.length} files written, ${unchanged} unchanged, ${removed.length} removed in ${folder}.${secrets}`;
    return { kind: 'notice', intent: 'success', title: 'The workspace was exported', body };
  });
}

/** Asks for an exported folder and imports it; nothing is deleted. */
export function importFromFolder(window: BrowserWindow, client: InstanceClient): Promise<DesktopRequest | null> {
  return noticeOf('The folder was not imported', async () => {
    const folder = await chosen(window, 'Import an exported folder', 'Import', []);
    if (folder === null) return null;
    const report = await applyFolder(client, await readFolder(folder), false);
    const sorts = Object.entries(report).filter(([, { created, updated }]) => created + updated > 0);
    const parts = sorts.map(([sort, { created, updated }]) => `${sort}: ${created} created, ${updated} updated`);
    const body = parts.length > 0 ? `${parts.join('; ')}.` : 'The workspace already has all of it.';
    return { kind: 'notice', intent: 'success', title: 'The folder was imported', body };
  });
}

async function chosen(
  window: BrowserWindow,
  title: string,
  buttonLabel: string,
  more: 'createDirectory'[],
): Promise<string | null> {
  const result = await dialog.showOpenDialog(window, { title, buttonLabel, properties: ['openDirectory', ...more] });
  return result.canceled ? null : (result.filePaths[0] ?? null);
}

async function noticeOf(title: string, work: () => Promise<DesktopRequest | null>): Promise<DesktopRequest | null> {
  try {
    return await work();
  } catch (thrown) {
    return { kind: 'notice', intent: 'error', title, body: messageOf(thrown) };
  }
}
