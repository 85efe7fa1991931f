import type { ComponentType } from 'react';
import { Button } from '../../ui/fluent.ts';
import {
  AlignBottomRegular,
  AlignCenterHorizontalRegular,
  AlignCenterVerticalRegular,
  AlignLeftRegular,
  AlignRightRegular,
  AlignSpaceEvenlyHorizontalRegular,
  AlignSpaceEvenlyVerticalRegular,
  AlignTopRegular,
  PositionToBackRegular,
  PositionToFrontRegular,
} from '../../ui/icons.ts';
import type { Alignment, Axis } from './model/align-parts.ts';
import styles from './diagrams.module.css';

export interface Arranging {
  onStack: (where: 'front' | 'back') => void;
  onAlign: (alignment: Alignment) => void;
  onDistribute: (axis: Axis) => void;
}

/** The names of the actions, also in the command palette. */
export const ALIGN_NAMES: Readonly<Record<Alignment, string>> = {
  left: 'Align left edges',
  center: 'Align centers horizontally',
  right: 'Align right edges',
  top: 'Align top edges',
  middle: 'Align centers vertically',
  bottom: 'Align bottom edges',
};
export const DISTRIBUTE_NAMES: Readonly<Record<Axis, string>> = {
  horizontal: 'Distribute horizontally',
  vertical: 'Distribute vertically',
};

const ALIGN_ICONS: readonly (readonly [Alignment, ComponentType])[] = [
  ['left', AlignLeftRegular],
  ['center', AlignCenterVerticalRegular],
  ['right', AlignRightRegular],
  ['top', AlignTopRegular],
  ['middle', AlignCenterHorizontalRegular],
  ['bottom', AlignBottomRegular],
];
const DISTRIBUTE_ICONS: readonly (readonly [Axis, ComponentType])[] = [
  ['horizontal', AlignSpaceEvenlyHorizontalRegular],
  ['vertical', AlignSpaceEvenlyVerticalRegular],
];

export function OrderButtons({ onStack }: Pick<Arranging, 'onStack'>) {
  return (
    <div className={styles.two}>
      <Button
        size="small"
        icon={<PositionToFrontRegular />}
        title="Ctrl+Shift+Up on the part"
        onClick={() => onStack('front')}
      >
        Bring to front
      </Button>
      <Button
        size="small"
        icon={<PositionToBackRegular />}
        title="Ctrl+Shift+Down on the part"
        onClick={() => onStack('back')}
      >
        Send to back
      </Button>
    </div>
  );
}

/** Aligns and distributes the selected parts. */
export function AlignButtons({ count, onAlign, onDistribute }: { count: number } & Omit<Arranging, 'onStack'>) {
  return (
    <div className={styles.align} role="group" aria-label="Align">
      {ALIGN_ICONS.map(([alignment, Icon]) => (
        <Button
          key={alignment}
          size="small"
          appearance="subtle"
          icon={<Icon />}
          aria-label={ALIGN_NAMES[alignment]}
          title={ALIGN_NAMES[alignment]}
          onClick={() => onAlign(alignment)}
        />
      ))}
      {DISTRIBUTE_ICONS.map(([axis, Icon]) => (
        <Button
          key={axis}
          size="small"
          appearance="subtle"
          icon={<Icon />}
          aria-label={DISTRIBUTE_NAMES[axis]}
          title={count < 3 ? `${DISTRIBUTE_NAMES[axis]}: select at least three parts` : DISTRIBUTE_NAMES[axis]}
          disabledFocusable={count < 3}
          onClick={() => onDistribute(axis)}
        />
      ))}
    </div>
  );
}
