import type { TagDefinition } from '#domain/tag/tag';
import { countsText } from '#domain/tag/usage';
import { useWorkbench } from '../../../frame/workbench.ts';
import { droppedFiles, pickText, textOf } from '../../../support/files.ts';
import { forceAll } from './force-tags.ts';
import { removeTags, restoreTags } from './remove-tags.ts';
import type { TagDialogState } from './tag-dialogs.tsx';

/** Files and folders that are dropped at once; more than one is a mistake. */
const MOST_DROPPED = 100;

interface TagActionOptions {
  onDialog: (dialog: TagDialogState) => void;
  /** Tags were deleted. */
  onGone: () => void;
}

/** The actions on tags from toolbar, menu, keys and command palette. */
export function useTagActions({ onDialog, onGone }: TagActionOptions) {
  const { client, notify } = useWorkbench();
  const attempt = async (failed: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      notify({ intent: 'error', title: failed, error });
    }
  };

  const removeNow = (tags: readonly TagDefinition[]) =>
    attempt('Nothing was deleted', async () => {
      const removed = await removeTags(client, tags);
      const [first] = tags;
      onGone();
      notify({
        intent: 'info',
        title: tags.length === 1 ? 'Tag deleted' : `${tags.length} tags deleted`,
        body: removed.valuesLost ? "Their stored values can't be restored." : (first?.path ?? ''),
        action: {
          label: 'Undo',
          run: () => attempt('Undo failed', () => restoreTags(client, removed)),
        },
      });
    });

  return {
    removeNow,
    /** A single unused tag immediately, others after a confirmation that shows the references to them. */
    remove: (tags: readonly TagDefinition[]) => {
      if (tags.length === 0) return;
      void attempt('Nothing was deleted', async () => {
        const uses = countsText(await client.tags.uses({ paths: tags.map(({ path }) => path) }));
        if (tags.length > 1 || uses !== '') onDialog({ what: 'delete', tags, uses });
        else await removeNow(tags);
      });
    },
    pickImport: () =>
      attempt('The file could not be read', async () => {
        const file = await pickText('.csv,.json');
        if (file) onDialog({ what: 'import', file });
      }),
    /** One file that was dropped. */
    dropImport: (transfer: DataTransfer) =>
      attempt('The file could not be read', async () => {
        const [placed, ...others] = await droppedFiles(transfer, MOST_DROPPED);
        if (!placed || others.length > 0 || !/\.(?:csv|json)$/i.test(placed.file.name)) {
          throw new Error('Drop one CSV or JSON file with tags.');
        }
        onDialog({ what: 'dropped', file: await textOf(placed.file) });
      }),
    force: (paths: readonly string[], of: string) => onDialog({ what: 'force', paths, of }),
    clearForced: (paths: readonly string[]) =>
      attempt('The forced qualities were not cleared', () => forceAll({ client, notify }, paths, null)),
    save: (format: 'csv' | 'json') => onDialog({ what: 'export', format }),
  };
}
