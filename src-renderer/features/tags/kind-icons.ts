import type { ComponentType, SVGAttributes } from 'react';
import type { TagKind } from '#domain/tag/tag';
import {
  BuildingFactoryRegular,
  CalculatorRegular,
  CodeRegular,
  DatabaseRegular,
  GaugeRegular,
  StorageRegular,
} from '../../ui/icons.ts';

export const KIND_ICONS: Readonly<Record<TagKind, ComponentType<SVGAttributes<SVGElement>>>> = {
  machine: GaugeRegular,
  storage: StorageRegular,
  erp: BuildingFactoryRegular,
  db: DatabaseRegular,
  calculation: CalculatorRegular,
  script: CodeRegular,
};
