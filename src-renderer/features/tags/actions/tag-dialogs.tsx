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
  asked: TagDialogState;
  /** Words in the paths of the exported tags. */
  filter: string;
  onRemove: (tags: readonly TagDefinition[]) => Promise<void>;
  onClose: () => void;
}

/** The open dialog. */
export function TagDialogs({ asked, filter, onRemove, onClose }: Props) {
  if (asked.what === 'export') return <ExportDialog format={asked.format} filter={filter} onClose={onClose} />;
  if (asked.what === 'import') return <ImportDialog file={asked.file} onClose={onClose} />;
  if (asked.what === 'change') return <ChangeSeveral tags={asked.tags} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={`Delete ${asked.tags.length} tags`}
      action="Delete"
      onConfirm={() => onRemove(asked.tags)}
      onClose={onClose}
    >
      This deletes their definitions and stored values. You can undo it for a while.
    </ConfirmDialog>
  );
}
