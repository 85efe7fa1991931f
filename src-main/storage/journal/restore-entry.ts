import type Database from 'better-sqlite3';
import type { Cause } from '#domain/run/journal';
import { userName } from '../../platform/user-name.ts';
import { LAST_ENTRY } from './journal-statements.ts';
import { causeText } from './journal-text.ts';

/**
 * Records in the copy of a backup, before it becomes the workspace, that it was restored. A backup of an earlier version
 * has no journal, and gets no entry.
 * @param at ms since 1970
 */
export function recordRestore(
  database: Database.Database,
  { backup, at, cause }: { backup: string; at: number; cause: Cause },
): void {
  const hasJournal = database.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'journal'`).get();
  if (!hasJournal || isOff(database)) return;
  const last = database.prepare<[], number>(LAST_ENTRY).pluck().get() ?? 0;
  const entry = `[["restore",${causeText(cause, userName())},${JSON.stringify(backup)}]]`;
  database.prepare('INSERT INTO journal (id, at_ms, entries) VALUES (?, ?, ?)').run(last + 1, at, entry);
}

const isOff = (database: Database.Database): boolean =>
  database.prepare<[string], string>('SELECT value FROM settings WHERE key = ?').pluck().get('journal.megabytes') ===
  '0';
