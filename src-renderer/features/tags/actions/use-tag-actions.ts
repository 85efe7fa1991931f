import type { TagDefinition } from '#domain/tag/tag';
import { problemOf } from '../../../client/errors.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { pickText } from '../../../support/files.ts';
import { removeTags, restoreTags } from './remove-tags.ts';
import type { TagDialogState } from './tag-dialogs.tsx';

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
      notify({ intent: 'error', title: failed, body: problemOf(error).message });
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
    /** A single tag immediately, several after a confirmation. */
    remove: (tags: readonly TagDefinition[]) => {
      if (tags.length > 1) onDialog({ what: 'delete', tags });
      else if (tags.length === 1) void removeNow(tags);
    },
    pickImport: () =>
      attempt('The file could not be read', async () => {
        const file = await pickText('.csv,.json');
        if (file) onDialog({ what: 'import', file });
      }),
    save: (format: 'csv' | 'json') => onDialog({ what: 'export', format }),
  };
}
