import type { TagDefinition } from '#domain/tag/tag';
import { TagPath } from '../../../ui/text/tag-path.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { ChangeSeveral } from './change-several.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { ForceDialog } from './force-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';

/** The dialogs before actions on tags. */
export type TagDialogState =
  | { what: 'change'; tags: readonly TagDefinition[] }
  /** `uses`: what refers to the tags, for people; '' if nothing does. */
  | { what: 'delete'; tags: readonly TagDefinition[]; uses: string }
  /** Paths of machine tags, and what they are the tags of. */
  | { what: 'force'; paths: readonly string[]; of: string }
  | { what: 'export'; format: 'csv' | 'json' }
  | { what: 'import'; file: { name: string; text: string } }
  /** A file that was dropped on the view: it can be dropped by mistake. */
  | { what: 'dropped'; file: { name: string; text: string } };

interface Props {
  dialog: TagDialogState;
  /** Words in the paths of the exported tags. */
  filter: string;
  onRemove: (tags: readonly TagDefinition[]) => Promise<void>;
  onDialog: (dialog: TagDialogState) => void;
  onClose: () => void;
}

/** The open dialog. */
export function TagDialogs({ dialog, filter, onRemove, onDialog, onClose }: Props) {
  if (dialog.what === 'export') return <ExportDialog format={dialog.format} filter={filter} onClose={onClose} />;
  if (dialog.what === 'import') return <ImportDialog file={dialog.file} onClose={onClose} />;
  if (dialog.what === 'dropped') {
    const { file } = dialog;
    return (
      <ConfirmDialog
        title="Import tags"
        action="Import"
        onConfirm={() => onDialog({ what: 'import', file })}
        onClose={onClose}
      >
        <p>
          This imports the tags in “<bdi>{file.name}</bdi>”. Tags with the same paths are replaced; their values stay.
        </p>
      </ConfirmDialog>
    );
  }
  if (dialog.what === 'force') return <ForceDialog paths={dialog.paths} of={dialog.of} onClose={onClose} />;
  if (dialog.what === 'change') return <ChangeSeveral tags={dialog.tags} onClose={onClose} />;
  const { tags, uses } = dialog;
  const [first] = tags;
  const alone = tags.length === 1 && first;
  return (
    <ConfirmDialog
      title={alone ? 'Delete the tag' : `Delete ${tags.length} tags`}
      action="Delete"
      onConfirm={() => onRemove(tags)}
      onClose={onClose}
    >
      {alone && (
        <p>
          <TagPath path={alone.path} breaks />
        </p>
      )}
      {uses !== '' && (
        <p>
          Used by {uses}. These references will no longer find {alone ? 'the tag' : 'the tags'}.
        </p>
      )}
      <p>
        This deletes {alone ? 'its definition and stored values' : 'their definitions and stored values'}. You can undo
        it for a while.
      </p>
    </ConfirmDialog>
  );
}
