import { useMemo } from 'react';
import type { Mock, MockUpdate } from '#domain/mock/mock';
import { folderAfterRename, isInFolder } from '#domain/mock/mock-folder';
import { draftedActions } from '../../../drafted/drafted-actions.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { saveText } from '../../../support/files.ts';
import { folderOfKey, keyOfFolder } from '../model/folder-rows.ts';
import { type MockListRow, listRows } from '../model/list-rows.ts';
import type { MocksModel } from '../model/mocks-model.ts';

/** Actions on mocks that several places offer, with their notices. */
export interface MockActions {
  toggle: (mock: Mock) => Promise<void>;
  /** Enables or disables the saved ones of these. */
  switchAll: (rows: readonly MockListRow[], enabled: boolean) => Promise<void>;
  /** Moves mocks, saved or not, to a folder; `''` for none. */
  moveTo: (rows: readonly MockListRow[], folder: string) => Promise<void>;
  /** Everything in the folder moves with it, also to a folder that exists. */
  renameFolder: (from: string, to: string) => Promise<void>;
  move: (mock: Mock, by: -1 | 1) => Promise<void>;
  remove: (mocks: readonly Mock[]) => Promise<void>;
  discard: (key: string) => void;
  exportAll: () => Promise<void>;
  resetHits: () => Promise<void>;
  /** The next call gets the first response of a sequence again; null: of all. */
  restart: (mocks: readonly Mock[] | null) => Promise<void>;
}

const counted = (count: number): string => `${count} ${count === 1 ? 'mock' : 'mocks'}`;

export function useMockActions(model: MocksModel): MockActions {
  const { client, notify } = useWorkbench();
  return useMemo(() => {
    const { attempt, discard } = draftedActions(model, notify);
    const done = (title: string, undo: () => Promise<void>) =>
      notify({
        intent: 'info',
        title,
        action: { label: 'Undo', run: () => attempt('The change was not undone', undo) },
      });
    const setFolder = (key: string, folder: string) => {
      const form = model.form(key);
      if (form) model.edit(key, { ...form, folder });
    };
    /** Returns the function that undoes it. */
    const place = async (rows: readonly MockListRow[], folderOf: (row: MockListRow) => string) => {
      const moved = rows.filter((row) => folderOf(row) !== row.folder);
      const changes = moved.flatMap((row): MockUpdate[] =>
        row.mock ? [{ id: row.mock.id, folder: folderOf(row) === '' ? null : folderOf(row) }] : [],
      );
      const back = changes.length > 0 ? await model.update(changes) : [];
      const fresh = moved.filter(({ mock }) => mock === null);
      for (const row of fresh) setFolder(row.key, folderOf(row));
      return {
        count: moved.length,
        undo: async () => {
          if (back.length > 0) await model.update(back);
          for (const { key, folder } of fresh) setFolder(key, folder);
        },
      };
    };
    return {
      switchAll: (rows, enabled) =>
        attempt('The mocks were not changed', async () => {
          const changes = rows.flatMap(({ mock }): MockUpdate[] =>
            mock && mock.enabled !== enabled ? [{ id: mock.id, enabled }] : [],
          );
          if (changes.length === 0) return;
          const back = await model.update(changes);
          done(`${enabled ? 'Enabled' : 'Disabled'} ${counted(changes.length)}`, async () => {
            await model.update(back);
          });
        }),
      moveTo: (rows, folder) =>
        attempt('The mocks were not moved', async () => {
          const { count, undo } = await place(rows, () => folder);
          const [only] = rows;
          const what = only && rows.length === 1 ? `“${only.name || 'New mock'}”` : counted(count);
          if (count > 0) done(`Moved ${what} ${folder === '' ? 'out of the folder' : `to “${folder}”`}`, undo);
        }),
      renameFolder: (from, to) =>
        attempt('The folder was not renamed', async () => {
          const inside = listRows(model.store.get(), '').filter(({ folder }) => isInFolder(folder, from));
          /** The selected folder and the collapsed ones are still so under their new names. */
          const follow = async (before: string, after: string, change: () => Promise<void>) => {
            // Read before the change: with the former name, the selection ends.
            const chosen = folderOfKey(model.store.get().selected);
            await change();
            const { folded, recordFolder } = model.store.get();
            if (isInFolder(recordFolder, before)) {
              await model.setTraffic({ recordFolder: folderAfterRename(recordFolder, before, after) });
            }
            const inner = [...folded].filter((folder) => isInFolder(folder, before));
            model.fold(
              inner.map((folder) => folderAfterRename(folder, before, after)),
              true,
            );
            if (chosen !== null && isInFolder(chosen, before)) {
              model.select(keyOfFolder(folderAfterRename(chosen, before, after)));
            }
          };
          let undo = (): Promise<void> => Promise.resolve();
          await follow(from, to, async () => {
            ({ undo } = await place(inside, ({ folder }) => folderAfterRename(folder, from, to)));
          });
          done(`Renamed “${from}” to “${to}”`, () => follow(to, from, undo));
        }),
      toggle: (mock) => attempt('The mock was not changed', () => model.change(mock, { enabled: !mock.enabled })),
      move: (mock, by) => attempt('The mock was not moved', () => model.move(mock, by)),
      remove: (mocks) =>
        attempt('Nothing was deleted', async () => {
          const drafts = await model.delete(mocks);
          const [only] = mocks;
          notify({
            intent: 'info',
            title: only && mocks.length === 1 ? `Deleted “${only.name}”` : `Deleted ${counted(mocks.length)}`,
            action: {
              label: 'Undo',
              run: () =>
                attempt('The mocks were not restored', async () => {
                  await model.restore(mocks);
                  for (const draft of drafts) model.restoreDraft(draft);
                }),
            },
          });
        }),
      discard,
      exportAll: () =>
        attempt('The mocks were not exported', async () => {
          const { text, count } = await client.mocks.export();
          saveText('mocks.json', text, 'application/json');
          notify({ intent: 'success', title: `Exported ${counted(count)} to mocks.json` });
        }),
      restart: (mocks) =>
        attempt('The sequences were not restarted', async () => {
          await client.mocks.restartSequences({ ids: mocks && mocks.map(({ id }) => id) });
          await model.list();
        }),
      resetHits: () =>
        attempt('The hits were not reset', async () => {
          await client.mocks.resetHits();
          await model.list();
        }),
    };
  }, [client, notify, model]);
}
