import type { ComponentType, SVGAttributes } from 'react';
import type { TagKind } from '#domain/tag/tag';
import {
  BuildingFactoryRegular,
  CalculatorRegular,
  CodeRegular,
  DatabaseRegular,
  GaugeRegular,
  StorageRegular,
} from '../icons.ts';
import styles from './tag-kind.module.css';

export const KIND_NAMES: Readonly<Record<TagKind, string>> = {
  machine: 'Machine',
  storage: 'Storage',
  erp: 'ERP',
  db: 'DB',
  calculation: 'Calculation',
  script: 'Script',
};

const ICONS: Readonly<Record<TagKind, ComponentType<SVGAttributes<SVGElement>>>> = {
  machine: GaugeRegular,
  storage: StorageRegular,
  erp: BuildingFactoryRegular,
  db: DatabaseRegular,
  calculation: CalculatorRegular,
  script: CodeRegular,
};

/** The icon of a kind of tags, with its name as a tooltip. Readers need the name as a text. */
export function KindIcon({ kind }: { kind: TagKind }) {
  const Icon = ICONS[kind];
  return (
    <span className={styles.kind} title={`${KIND_NAMES[kind]} tag`} data-kind={kind} aria-hidden>
      <Icon />
    </span>
  );
}
