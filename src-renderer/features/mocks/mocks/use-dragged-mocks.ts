import { folderAfterRename, isInFolder, nameOfFolder, parentOfFolder } from '#domain/mock/mock-folder';
import type { GridDrag } from '../../../ui/lists/row-events.ts';
import { type ListRow, isFolderRow } from '../model/folder-rows.ts';
import type { MockListRow } from '../model/list-rows.ts';
import type { MockActions } from './use-mock-actions.ts';

/** The folder for rows that are dropped on this one: itself, or that of the mock. */
const folderAt = (row: ListRow): string => (isFolderRow(row) ? row.path : row.row.folder);

/**
 * Mocks and folders are dragged into a folder, or next to a mock. A dragged mock takes the other selected ones with it.
 */
export function useDraggedMocks(
  rows: readonly ListRow[],
  all: readonly MockListRow[],
  marked: ReadonlySet<string>,
  actions: Pick<MockActions, 'moveTo' | 'renameFolder'>,
): GridDrag {
  const draggedWith = ({ key }: ListRow) =>
    all.filter((one) => one.key === key || (marked.has(key) && marked.has(one.key)));
  return {
    label: (index) => {
      const row = rows[index];
      return row === undefined ? '' : isFolderRow(row) ? row.path : row.row.name;
    },
    canDrop: (index, onto) => {
      const [row, target] = [rows[index], rows[onto]];
      if (!row || !target) return false;
      const to = folderAt(target);
      if (isFolderRow(row)) return !isInFolder(to, row.path) && parentOfFolder(row.path) !== to;
      return draggedWith(row).some(({ folder }) => folder !== to);
    },
    onDrop: (index, onto) => {
      const [row, target] = [rows[index], rows[onto]];
      if (!row || !target) return;
      const to = folderAt(target);
      if (!isFolderRow(row)) void actions.moveTo(draggedWith(row), to);
      else void actions.renameFolder(row.path, folderAfterRename(`/${nameOfFolder(row.path)}`, '', to));
    },
  };
}
