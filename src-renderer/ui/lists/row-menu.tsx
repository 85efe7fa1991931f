import { Menu, MenuDivider, MenuItem, MenuList, MenuPopover } from '../fluent.ts';

export interface MenuEntry {
  title: string;
  keys?: string;
  /** Preceded by a separator, unless it is the first. */
  apart?: boolean;
  run: () => void;
}

interface Props {
  at: { x: number; y: number };
  entries: readonly MenuEntry[];
  onClose: () => void;
}

/** The menu of a row, at the position of the request. */
export function RowMenu({ at, entries, onClose }: Props) {
  const target = { getBoundingClientRect: () => new DOMRect(at.x, at.y, 0, 0) };
  return (
    <Menu
      open
      onOpenChange={(_event, { open }) => !open && onClose()}
      positioning={{ target, position: 'below', align: 'start' }}
    >
      <MenuPopover>
        <MenuList>
          {entries.flatMap(({ title, keys, apart, run }, index) => [
            apart === true && index > 0 && <MenuDivider key={`before ${title}`} />,
            <MenuItem
              key={title}
              {...(keys === undefined ? {} : { secondaryContent: keys })}
              onClick={() => {
                onClose();
                // After the menu has returned the focus.
                setTimeout(run, 0);
              }}
            >
              {title}
            </MenuItem>,
          ])}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
