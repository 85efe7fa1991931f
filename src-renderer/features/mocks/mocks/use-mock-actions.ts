import { useMemo } from 'react';
import type { Mock } from '#domain/mock/mock';
import { draftedActions } from '../../../drafted/drafted-actions.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { saveText } from '../../../support/files.ts';
import type { MocksModel } from '../model/mocks-model.ts';

/** Actions on mocks that several places offer, with their notices. */
export interface MockActions {
  toggle: (mock: Mock) => Promise<void>;
  move: (mock: Mock, by: -1 | 1) => Promise<void>;
  remove: (mocks: readonly Mock[]) => Promise<void>;
  discard: (key: string) => void;
  exportAll: () => Promise<void>;
  resetHits: () => Promise<void>;
  /** The next call gets the first response of a sequence again; null: of all. */
  restart: (mocks: readonly Mock[] | null) => Promise<void>;
}

export function useMockActions(model: MocksModel): MockActions {
  const { client, notify } = useWorkbench();
  return useMemo(() => {
    const { attempt, discard } = draftedActions(model, notify);
    return {
      toggle: (mock) => attempt('The mock was not changed', () => model.change(mock, { enabled: !mock.enabled })),
      move: (mock, by) => attempt('The mock was not moved', () => model.move(mock, by)),
      remove: (mocks) =>
        attempt('Nothing was deleted', async () => {
          const drafts = await model.delete(mocks);
          const [only] = mocks;
          notify({
            intent: 'info',
            title: only && mocks.length === 1 ? `Deleted “${only.name}”` : `Deleted ${mocks.length} mocks`,
            action: {
              label: 'Undo',
              run: () =>
                attempt('The mocks were not restored', async () => {
                  await model.restore(mocks);
                  for (const draft of drafts) model.bringBack(draft);
                }),
            },
          });
        }),
      discard,
      exportAll: () =>
        attempt('The mocks were not exported', async () => {
          const { text, count } = await client.mocks.export();
          saveText('mocks.json', text, 'application/json');
          notify({ intent: 'success', title: `Exported ${count} ${count === 1 ? 'mock' : 'mocks'} to mocks.json` });
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
