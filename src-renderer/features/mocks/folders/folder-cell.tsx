import { ChevronDownRegular, ChevronRightRegular, FolderRegular } from '../../../ui/icons.ts';
import type { FolderRow } from '../model/folder-rows.ts';
import styles from './folders.module.css';

/** Indent of a row of the next level, px: the check box of a folder is above the check boxes of its mocks. */
export const INDENT = 18;

interface Props {
  folder: FolderRow;
  onToggle: () => void;
  onSwitch: () => void;
}

/** A folder in the list of mocks: a box that enables or disables everything in it, its name and its counts. */
export function FolderCell({ folder, onToggle, onSwitch }: Props) {
  const { name, path, level, expanded, enabled } = folder;
  return (
    <span className={styles.folder} style={{ paddingLeft: (level - 1) * INDENT }}>
      <span
        className={styles.chevron}
        aria-hidden
        data-toggle
        onClick={(event) => {
          event.stopPropagation();
          onToggle();
        }}
      >
        {expanded ? <ChevronDownRegular /> : <ChevronRightRegular />}
      </span>
      {enabled !== null && (
        <input
          type="checkbox"
          className={styles.check}
          tabIndex={-1}
          aria-label={`Enabled: everything in ${path}`}
          checked={enabled === true}
          ref={(box) => {
            if (box) box.indeterminate = enabled === 'some';
          }}
          onClick={(event) => event.stopPropagation()}
          onDoubleClick={(event) => event.stopPropagation()}
          onChange={onSwitch}
        />
      )}
      <FolderRegular aria-hidden />
      <span className={styles.name} title={path}>
        {name}
      </span>
      <span className={styles.count}>{countText(folder)}</span>
    </span>
  );
}

/** `12 mocks, 3 disabled` */
export function countText({ rows }: Pick<FolderRow, 'rows'>): string {
  const off = rows.filter(({ mock }) => mock?.enabled === false).length;
  const all = `${rows.length} ${rows.length === 1 ? 'mock' : 'mocks'}`;
  return off === 0 ? all : `${all}, ${off === rows.length ? 'disabled' : `${off} disabled`}`;
}
