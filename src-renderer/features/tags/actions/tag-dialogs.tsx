import type { TagDefinition } from '#domain/tag/tag';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { ChangeSeveral } from './change-several.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';

/** The dialogs before actions on tags. */
export type TagDialogState =
  | { what: 'change' | 'delete'; tags: readonly TagDefinition[] }
  | { what: 'export'; format: 'csv' | 'json' }
  | { what: 'import'; file: { name: string; text: string } };

interface Props {
  dialog: TagDialogState;
  /** Words in the paths of the exported tags. */
  filter: string;
  onRemove: (tags: readonly TagDefinition[]) => Promise<void>;
  onClose: () => void;
}

/** The open dialog. */
export function TagDialogs({ dialog, filter, onRemove, onClose }: Props) {
  if (dialog.what === 'export') return <ExportDialog format={dialog.format} filter={filter} onClose={onClose} />;
  if (dialog.what === 'import') return <ImportDialog file={dialog.file} onClose={onClose} />;
  if (dialog.what === 'change') return <ChangeSeveral tags={dialog.tags} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={`Delete ${dialog.tags.length} tags`}
      action="Delete"
      onConfirm={() => onRemove(dialog.tags)}
      onClose={onClose}
    >
      This deletes their definitions and stored values. You can undo it for a while.
    </ConfirmDialog>
  );
}
