import { Button } from '../../../ui/fluent.ts';
import { AddRegular, DeleteRegular, FolderRegular, RenameRegular } from '../../../ui/icons.ts';
import type { FolderRow } from '../model/folder-rows.ts';
import { countText } from './folder-cell.tsx';
import styles from './folders.module.css';

interface Props {
  folder: FolderRow;
  /** Whether a filter may hide some of its mocks. */
  filtered: boolean;
  onCreate: () => void;
  onSwitch: (enabled: boolean) => void;
  onRename: () => void;
  onDelete: () => void;
}

/** The selected folder, shown where a mock has its editor. */
export function FolderPane({ folder, filtered, onCreate, onSwitch, onRename, onDelete }: Props) {
  const { path, rows, enabled } = folder;
  return (
    <section className={styles.pane} aria-label="Folder" data-pane="mock-editor">
      <h2 className={styles.title}>
        <FolderRegular aria-hidden />
        <bdi>{path.replaceAll('/', ' / ')}</bdi>
      </h2>
      <p>
        {countText({ rows })}
        {filtered && ' match the filter; the actions here apply to them'}.
      </p>
      <div className={styles.actions}>
        <Button
          size="small"
          appearance="primary"
          icon={<AddRegular />}
          aria-keyshortcuts="Alt+N"
          data-pane-focus
          onClick={onCreate}
        >
          New mock in this folder
        </Button>
        <Button size="small" disabledFocusable={enabled === true || enabled === null} onClick={() => onSwitch(true)}>
          Enable all
        </Button>
        <Button size="small" disabledFocusable={enabled === false || enabled === null} onClick={() => onSwitch(false)}>
          Disable all
        </Button>
        <Button size="small" icon={<RenameRegular />} onClick={onRename}>
          Rename or move…
        </Button>
        <Button size="small" icon={<DeleteRegular />} onClick={onDelete}>
          {rows.length === 1 ? 'Delete 1 mock' : `Delete ${rows.length} mocks`}
        </Button>
      </div>
      <p className={styles.quiet}>
        Folders only sort the list: which mock responds depends on priorities, whatever the folder. Drag mocks onto a
        folder, or press M in the list. A folder without mocks disappears.
      </p>
    </section>
  );
}
