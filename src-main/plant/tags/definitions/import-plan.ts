import { abbreviate } from '#domain/text/abbreviate';
import type { TagDefinition } from '#domain/tag/tag';
import { MAX_PATH_LENGTH } from '#domain/tag/tag-path';
import { Turns } from '../../../platform/turns.ts';
import { checkDefinition, describeIssues, problemsOf } from './definition.ts';
import type { ImportedRow } from './exchange.ts';
import type { KindLookup } from '../kinds/index.ts';

export interface ImportRefusal {
  row: number;
  path: string;
  reason: string;
}

export interface ImportPlan {
  definitions: TagDefinition[];
  /** Every row that cannot be imported, with the reason; if there is one, nothing may be imported. */
  refused: ImportRefusal[];
}

const MAX_REASON = 400;

/** The progress of an import; reported at intervals while rows are checked. Throws to end it. */
export type ImportStep = (checked: number, total: number) => void;

/** Checks every row like a save, but keeps missing names, and for duplicate paths; a few ms at a time. */
export async function planImport(
  rows: readonly ImportedRow[],
  kinds: KindLookup,
  step: ImportStep = () => undefined,
): Promise<ImportPlan> {
  const definitions: TagDefinition[] = [];
  const refused: ImportRefusal[] = [];
  const firstRows = new Map<string, number>();
  const turns = new Turns();
  for (const [checked, row] of rows.entries()) {
    const pause = turns.due();
    if (pause) {
      step(checked, rows.length);
      await pause;
    }
    const result = check(row, kinds, firstRows.get(row.path));
    if (!firstRows.has(row.path)) firstRows.set(row.path, row.row);
    if (typeof result !== 'string') {
      definitions.push(result);
    } else {
      const path = abbreviate(row.path, MAX_PATH_LENGTH);
      refused.push({ row: row.row, path, reason: abbreviate(result, MAX_REASON) });
    }
  }
  for (const [path, issue] of problemsOf(definitions, kinds)) {
    const reason = abbreviate(describeIssues([issue]), MAX_REASON);
    refused.push({ row: firstRows.get(path) ?? 0, path, reason });
  }
  return { definitions, refused };
}

/** The definition of a row, or why it is rejected. */
function check(row: ImportedRow, kinds: KindLookup, earlier: number | undefined): TagDefinition | string {
  if (!row.ok) return row.reason;
  if (earlier !== undefined) return `the path is already in row ${earlier}`;
  const { definition } = row;
  const settings = kinds(definition.kind).keepMissing?.(definition.settings) ?? definition.settings;
  const checked = checkDefinition({ ...definition, settings }, kinds);
  return checked.ok ? checked.definition : describeIssues(checked.issues);
}
