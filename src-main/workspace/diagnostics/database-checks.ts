import { existsSync, statSync } from 'node:fs';
import { grouped } from '#domain/text/grouped';
import { basename, join } from 'node:path';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import type { PageCheck } from '../../storage/workspace/examination/examine-in-process.ts';
import { examinePages } from '../../storage/workspace/examination/examine-in-process.ts';
import { backupsOf } from '../../storage/backups/backups.ts';
import type { Check, DiagnosticFinding, CheckInput } from './check.ts';
import { counted, notChecked, ok, problem, sizeText, warning } from './check.ts';

/** Time limit in ms; the rest is left to `--full`. */
const WITHIN_MS = 20_000;
/** Maximum size of a database without a write-ahead log that others use: their writes wait for the check. */
const READ_WHILE_USED_BYTES = 64 * 2 ** 20;

/** Whether both databases are intact. */
export const DATABASE_CHECKS: readonly Check[] = [
  { id: 'database.workspace', group: 'Databases', title: 'workspace.db', run: workspaceDatabase },
  { id: 'database.plant', group: 'Databases', title: 'plant.db', run: plantDatabase },
];

async function workspaceDatabase(
  input: CheckInput,
  reportProgress: (doing: string) => void,
): Promise<DiagnosticFinding> {
  const file = join(input.workspace, 'workspace.db');
  const wal = statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (!existsSync(file)) {
    if (!wal || wal.size === 0) return notChecked('workspace.db does not exist');
    return problem('workspace.db is missing, but workspace.db-wal with its last changes is there', restoreFix(file));
  }
  // A newer format is not damage: its pages can be checked.
  if (isDamage(input.facts)) return problem(`damaged: ${reasonOf(input.facts)}`, restoreFix(file));
  try {
    const check = await pagesOf(file, input, reportProgress);
    if (!('found' in check)) return partly(check);
    const { damage, brokenReferences } = check.found;
    if (damage.length > 0) return problem(`damaged: ${damageText(damage)}`, restoreFix(file));
    if (brokenReferences > 0) {
      return problem(missingRows(brokenReferences), restoreFix(file));
    }
    return ok(wholeText(file, input.full));
  } catch (thrown) {
    input.signal.throwIfAborted();
    return isDamage(thrown) ? problem(`damaged: ${reasonOf(thrown)}`, restoreFix(file)) : notChecked(messageOf(thrown));
  }
}

async function plantDatabase(input: CheckInput, reportProgress: (doing: string) => void): Promise<DiagnosticFinding> {
  const file = join(input.workspace, 'plant.db');
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? null;
  const fix = 'Put a good copy of plant.db in its place, or move it out of the folder: an empty one is created.';
  if (size === null) {
    return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size
      ? warning('plant.db is missing, but plant.db-wal with its last changes is there', fix)
      : notChecked('plant.db does not exist; the next start creates one');
  }
  if (size === 0) return ok('empty');
  if (input.lock.held && !input.full && size > READ_WHILE_USED_BYTES && !existsSync(`${file}-wal`)) {
    return notChecked(
      `${sizeText(size)} without a write-ahead log: writes would wait for the check. Stop Tagwright and run "tagwright doctor"`,
    );
  }
  try {
    const check = await pagesOf(file, input, reportProgress);
    if (!('found' in check)) return partly(check);
    const { damage, brokenReferences, unchecked } = check.found;
    if (damage.length > 0) return problem(`damaged: ${damageText(damage)}`, fix);
    if (brokenReferences > 0) {
      return warning(
        missingRows(brokenReferences),
        'Correct the rows that "PRAGMA foreign_key_check" lists, with a database tool.',
      );
    }
    const left = unchecked > 0 ? `, except for ${counted(unchecked, 'table')} that need extensions of SQLite` : '';
    return ok(wholeText(file, input.full) + left);
  } catch (thrown) {
    input.signal.throwIfAborted();
    return isDamage(thrown) ? problem(`damaged: ${reasonOf(thrown)}`, fix) : notChecked(messageOf(thrown));
  }
}

async function pagesOf(
  file: string,
  { lock, node, root, signal, full }: CheckInput,
  reportProgress: (doing: string) => void,
) {
  if (node === null) throw new TagwrightError('UNAVAILABLE', 'the Node of Tagwright is missing, see Versions');
  const name = basename(file);
  reportProgress(`Checking the pages of ${name}`);
  return examinePages(file, {
    held: lock.held,
    nodeBinary: node,
    root,
    signal,
    full,
    withinMs: full ? null : WITHIN_MS,
    progress: (done, total) => reportProgress(`Checking the pages of ${name}: ${done} of ${total} tables`),
  });
}

function partly({ checkedTables, tables }: Exclude<PageCheck, { found: unknown }>): DiagnosticFinding {
  return notChecked(
    `${checkedTables} of ${tables} tables are whole; the rest takes longer than ${WITHIN_MS / 1_000} s. To check all: tagwright doctor --full`,
  );
}

const missingRows = (count: number): string =>
  count === 1 ? '1 reference to a row that is missing' : `${grouped(count)} references to rows that are missing`;

const wholeText = (file: string, full: boolean): string =>
  `whole, ${sizeText(statSync(file).size)}${full ? ', every index checked' : ''}`;

function damageText([first = '', ...more]: readonly string[]): string {
  const shown = first.replaceAll(/^\*\*\* in database \w+ \*\*\*\s*/g, '');
  return more.length > 0 ? `${shown}, and ${more.length} more` : shown;
}

function isDamage(thrown: unknown): thrown is TagwrightError {
  return thrown instanceof TagwrightError && thrown.code === 'WORKSPACE_DAMAGED';
}

const reasonOf = (thrown: TagwrightError): string =>
  typeof thrown.data['reason'] === 'string' ? thrown.data['reason'] : thrown.message;

function restoreFix(file: string): string {
  const [newest] = backupsOf(file);
  return newest
    ? `Stop Tagwright and go back to the newest backup: tagwright backups restore ${basename(newest.path)}`
    : 'There is no backup: put your own copy in its place, or move the database out of the folder to start with an empty one.';
}
