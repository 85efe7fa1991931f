import { DocumentJavascriptRegular, FolderRegular } from '../../../ui/icons.ts';
import type { TreeRow } from '../../../ui/lists/tree.tsx';
import type { ExplorerRow } from './rows.ts';
import styles from './explorer.module.css';

/** A row of the explorer in the tree; `active` is the key of the open script. */
export function treeRow(row: ExplorerRow, active: string | null): TreeRow {
  if (row.what === 'group' || row.what === 'unsaved-group') {
    return {
      id: row.id,
      level: 1,
      label: row.what === 'group' ? row.name : 'Not saved yet',
      expanded: row.expanded,
      icon: <FolderRegular aria-hidden />,
      describe: row.what === 'group' && row.empty ? 'empty group' : undefined,
    };
  }
  return {
    id: row.id,
    level: 2,
    label: row.name,
    icon: <DocumentJavascriptRegular aria-hidden />,
    selected: row.key === active,
    draggable: row.what === 'script',
    describe: row.mark === 'none' ? undefined : row.mark === 'dirty' ? 'unsaved' : 'has a draft',
    after:
      row.mark === 'none' ? null : (
        <span className={styles.mark} data-mark={row.mark}>
          {row.mark === 'dirty' ? '●' : 'draft'}
        </span>
      ),
  };
}
