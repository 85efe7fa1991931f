import { PART_KINDS } from '#domain/tag/diagram';
import type { PartKind } from '#domain/tag/diagram';
import { Button, Menu, MenuItem, MenuList, MenuPopover, MenuTrigger } from '../../ui/fluent.ts';
import { AddRegular } from '../../ui/icons.ts';
import styles from './diagrams.module.css';

export const PART_NAMES: Readonly<Record<PartKind, string>> = {
  value: 'Value',
  lamp: 'Lamp',
  text: 'Text',
  image: 'Image',
  table: 'Table',
  input: 'Input that writes',
  button: 'Button that writes',
};

/** The kinds of parts that can be added. */
export function AddMenu({ onAdd }: { onAdd: (kind: PartKind) => void }) {
  return (
    <Menu>
      <MenuTrigger disableButtonEnhancement>
        <Button size="small" icon={<AddRegular />}>
          Add a part
        </Button>
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          {PART_KINDS.map((kind) => (
            <MenuItem key={kind} onClick={() => onAdd(kind)}>
              {PART_NAMES[kind]}
            </MenuItem>
          ))}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}

/** The text of a page without parts. */
export function EmptyPage({ onAdd }: { onAdd: (kind: PartKind) => void }) {
  return (
    <div className={styles.empty}>
      <p>This page is empty. Add a part, choose its tag, and drag it into place.</p>
      <Button onClick={() => onAdd('value')}>Add a value</Button>
    </div>
  );
}
