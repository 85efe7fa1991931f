import { Menu, MenuDivider, MenuItem, MenuList, MenuPopover } from '../../../ui/fluent.ts';
import type { ExplorerRow } from './rows.ts';

interface Props {
  row: Exclude<ExplorerRow, { what: 'unsaved-group' }>;
  at: { x: number; y: number };
  onClose: () => void;
  onOpen: () => void;
  onRename: () => void;
  onDelete: () => void;
  onNew: () => void;
  onMove: () => void;
  onDuplicate: () => void;
}

/** The menu of a row of the explorer. */
export function RowMenu({ row, at, onClose, ...on }: Props) {
  const target = { getBoundingClientRect: () => new DOMRect(at.x, at.y, 0, 0) };
  const act = (run: () => void) => () => {
    onClose();
    setTimeout(run, 0);
  };
  return (
    <Menu
      open
      onOpenChange={(_event, { open }) => !open && onClose()}
      positioning={{ target, position: 'below', align: 'start' }}
    >
      <MenuPopover>
        <MenuList>
          {row.what === 'group' ? (
            <MenuItem onClick={act(on.onNew)}>New script in this group</MenuItem>
          ) : (
            <MenuItem onClick={act(on.onOpen)} secondaryContent="Enter">
              Open
            </MenuItem>
          )}
          <MenuDivider />
          <MenuItem onClick={act(on.onRename)} secondaryContent="F2">
            Rename
          </MenuItem>
          {row.what === 'script' && <MenuItem onClick={act(on.onMove)}>Move to another group…</MenuItem>}
          {row.what === 'script' && <MenuItem onClick={act(on.onDuplicate)}>Duplicate</MenuItem>}
          <MenuDivider />
          <MenuItem
            disabled={row.what === 'group' && !row.empty}
            onClick={act(on.onDelete)}
            secondaryContent={row.what === 'group' && !row.empty ? 'contains scripts' : 'Delete'}
          >
            {row.what === 'unsaved' ? 'Discard draft' : 'Delete'}
          </MenuItem>
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
