import { basename } from 'node:path';
import type { BrowserWindow } from 'electron';
import { dialog } from 'electron';
import type { DesktopRequest } from '#contract/bridge';
import type { Cause } from '#domain/run/journal';
import type { TagLoss } from '#domain/tag/tag';
import { lossesSummary } from '#domain/tag/tag';
import { applyFolder } from '../exchange/apply-folder.ts';
import { checkFolder } from '../exchange/check-folder.ts';
import { readFolder } from '../exchange/read-folder.ts';
import { textOfWorkspace, writeFolder } from '../exchange/write-folder.ts';
import type { InstanceClient } from '../host/instance-client.ts';
import { calledBy } from '../platform/caller.ts';
import { messageOf } from '../platform/errors.ts';

/** Asks for a folder and exports the workspace into it; resolves to the message to show, null if cancelled. */
export function exportToFolder(window: BrowserWindow, client: InstanceClient): Promise<DesktopRequest | null> {
  return noticeOf('The workspace was not exported', async () => {
    const folder = await chosen(window, 'Export the workspace to a folder', 'Export', ['createDirectory']);
    if (folder === null) return null;
    const { files, leftOut, missing } = await textOfWorkspace(client);
    const { written, unchanged, removed } = await writeFolder(folder, files);
    const secrets = leftOut.length > 0 ? ` Omitted because they are secret: ${leftOut.join(', ')}.` : '';
    const body = `${written.length} files written, ${unchanged} unchanged, ${removed.length} removed in ${folder}.${secrets}${missingText(missing)}`;
    return { kind: 'notice', intent: 'success', title: 'The workspace was exported', body };
  });
}

/** Asks for an exported folder and imports it; nothing is deleted. */
export function importFromFolder(window: BrowserWindow, client: InstanceClient): Promise<DesktopRequest | null> {
  return noticeOf('The folder was not imported', async () => {
    const folder = await chosen(window, 'Import an exported folder', 'Import', []);
    if (folder === null) return null;
    const { given, losses, leftOut } = await checkFolder(client, await readFolder(folder), false);
    if (losses.length > 0 && !(await mayDrop(window, losses))) return null;
    const caller: Cause = { by: 'import', from: 'window', what: basename(folder) };
    const { report, missing } = await calledBy(caller, () => applyFolder(client, given, false));
    const sorts = Object.entries(report).filter(([, { created, updated }]) => created + updated > 0);
    const parts = sorts.map(([sort, { created, updated }]) => `${sort}: ${created} created, ${updated} updated`);
    const done = parts.length > 0 ? `${parts.join('; ')}.` : 'The workspace already has all of it.';
    const body = done + missingText(missing) + omittedText(leftOut);
    return { kind: 'notice', intent: 'success', title: 'The folder was imported', body };
  });
}

/** Asks whether an import may drop stored values. */
async function mayDrop(window: BrowserWindow, losses: readonly TagLoss[]): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    message: `The import drops ${lossesSummary(losses)}.`,
    detail: `It changes their type or kind: ${losses
      .slice(0, 5)
      .map(({ path }) => path)
      .join(', ')}${losses.length > 5 ? ' …' : ''}`,
    buttons: ['Import', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
  });
  return response === 0;
}

/** References to missing items, which were kept. */
function missingText(missing: readonly string[]): string {
  const [first] = missing;
  if (first === undefined) return '';
  return ` Kept, although the target is missing: ${first}${missing.length > 1 ? ` (and ${missing.length - 1} more)` : ''}.`;
}

/** The values of tags that do not exist, which were not imported. */
function omittedText(leftOut: readonly string[]): string {
  const [first] = leftOut;
  if (first === undefined) return '';
  return ` Skipped: ${first}${leftOut.length > 1 ? ` (and ${leftOut.length - 1} more)` : ''}.`;
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
