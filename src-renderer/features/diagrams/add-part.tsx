import type { ComponentType } from 'react';
import { PART_KINDS } from '#domain/tag/diagram';
import type { PartKind } from '#domain/tag/diagram';
import { Button, Menu, MenuItem, MenuList, MenuPopover, MenuTrigger } from '../../ui/fluent.ts';
import {
  AddRegular,
  CursorClickRegular,
  DataTrendingRegular,
  GaugeRegular,
  ImageRegular,
  LightbulbRegular,
  NumberSymbolSquareRegular,
  TableRegular,
  TextboxRegular,
  TextTRegular,
} from '../../ui/icons.ts';
import styles from './diagrams.module.css';

export const PART_NAMES: Readonly<Record<PartKind, string>> = {
  value: 'Value',
  lamp: 'Lamp',
  text: 'Text',
  image: 'Image',
  table: 'Table',
  input: 'Input that writes',
  button: 'Button that writes',
  trend: 'Trend',
  gauge: 'Gauge',
};

const ICONS: Readonly<Record<PartKind, ComponentType>> = {
  value: NumberSymbolSquareRegular,
  lamp: LightbulbRegular,
  text: TextTRegular,
  image: ImageRegular,
  table: TableRegular,
  input: TextboxRegular,
  button: CursorClickRegular,
  trend: DataTrendingRegular,
  gauge: GaugeRegular,
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
          {PART_KINDS.map((kind) => {
            const Icon = ICONS[kind];
            return (
              <MenuItem key={kind} icon={<Icon />} onClick={() => onAdd(kind)}>
                {PART_NAMES[kind]}
              </MenuItem>
            );
          })}
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
