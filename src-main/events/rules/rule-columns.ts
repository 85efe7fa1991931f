import type { ColumnType, RuleOutput, StoredOutput } from '#domain/rule/rule';
import type { TagType } from '#domain/tag/tag';
import type { ResultColumn } from '../../storage/events/result-tables.ts';
import { OWN_COLUMNS } from '../../storage/events/result-tables.ts';

const LONGEST = 60;

/** A name in the form of a table or column: `Fill level (max)` is `fill_level_max`, `fillLevel` is `fill_level`. */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, LONGEST)
    .replaceAll(/^_+|_+$/g, '');
  return /^[a-z]/.test(slug) ? slug : `v_${slug}`.replace(/_$/, '');
}

/** The name of a rule's table: its first name for people, its id to make it unique. */
export function tableNameOf(id: number, name: string): string {
  return `agg_${id}_${slugOf(name)}`;
}

/** Assigns a column to every output: the one with its name and type if the table has it, else a new one. */
export function withColumns(
  outputs: readonly RuleOutput[],
  present: readonly ResultColumn[],
  typeOf: (path: string) => TagType,
): StoredOutput[] {
  const own = new Set(OWN_COLUMNS.map(({ name }) => name));
  const types = new Map(present.map(({ name, type }) => [name, type]));
  const taken = new Set<string>();
  return outputs.map((output) => {
    const columnType = columnTypeOf(output, typeOf(output.tag));
    const slug = slugOf(output.name);
    let column = slug;
    for (let number = 2; ; number += 1) {
      const free = !own.has(column) && !taken.has(column);
      if (free && (types.get(column) ?? columnType) === columnType) break;
      column = `${slug}_${number}`;
    }
    taken.add(column);
    return { ...output, column, columnType };
  });
}

function columnTypeOf({ reducer }: RuleOutput, type: TagType): ColumnType {
  if (reducer === 'count') return 'INTEGER';
  if (reducer !== 'first' && reducer !== 'last') return 'REAL';
  if (type === 'Int' || type === 'Boolean') return 'INTEGER';
  return type === 'Double' ? 'REAL' : 'TEXT';
}
