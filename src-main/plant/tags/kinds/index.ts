import type { TagKind } from '#domain/tag/tag';
import { calculationKind } from './calculation.ts';
import type { DbParts } from './db.ts';
import { dbKind } from './db.ts';
import type { ErpParts } from './erp.ts';
import { erpKind } from './erp.ts';
import { inertKind } from './inert.ts';
import type { KindOfTag } from './kind.ts';
import type { MachineParts } from './machine.ts';
import { machineKind } from './machine.ts';
import type { ScriptParts } from './script.ts';
import { scriptKind } from './script.ts';
import type { StorageParts } from './storage.ts';
import { storageKind } from './storage.ts';

/** The dependencies of the kinds. */
export type KindParts = DbParts & ErpParts & MachineParts & ScriptParts & StorageParts;

/** The kinds of this build. */
export function createKinds(parts: KindParts): KindOfTag[] {
  const { library, plant } = parts;
  return [
    machineKind(parts),
    storageKind(parts),
    calculationKind(),
    ...(library ? [scriptKind(library)] : []),
    erpKind(parts),
    ...(plant ? [dbKind(plant)] : []),
  ];
}

/** Returns the kind of a name. */
export type KindLookup = (name: TagKind) => KindOfTag;

/** Every kind of the product by name; kinds that this build does not have are inert. */
export function kindsByName(kinds: readonly KindOfTag[]): KindLookup {
  const byName = new Map(kinds.map((kind) => [kind.kind, kind]));
  return (name) => {
    const present = byName.get(name);
    if (present) return present;
    const absent = inertKind(name, `tags of kind ${name} are not available in this version of Tagwright`);
    byName.set(name, absent);
    return absent;
  };
}
