import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { DISTRUST } from '../../../src-main/storage/database-check.ts';
import { checkPages } from '../../../src-main/storage/workspace/examination/examine.ts';
import { copyWorkspace } from '../../../src-main/storage/workspace/copy/copy-workspace.ts';
import { openWorkspaceStore } from '../../../src-main/storage/workspace/workspace-store.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

/** A plant.db whose schema passes bytes of its author to an internal function. */
function hostileFile(directory: string): string {
  const file = join(directory, 'plant.db');
  const database = new DatabaseSync(file);
  database.exec(`
    CREATE TABLE t (v, CHECK (v IS NOT rtreenode(1, x'00')));
    CREATE VIEW v AS SELECT rtreenode(1, x'00') AS v;
    INSERT INTO t VALUES (1);
  `);
  database.close();
  return file;
}

test('a schema that calls unsafe functions is distrusted, whatever library reads it', () => {
  const file = hostileFile(temporaryFolder());
  const [one, other] = [new DatabaseSync(file, { readOnly: true }), new Database(file, { readonly: true })];
  one.exec(DISTRUST);
  other.exec(DISTRUST);
  expect(() => one.prepare('SELECT * FROM v').all()).toThrow('unsafe use of rtreenode()');
  expect(() => other.prepare('SELECT * FROM v').all()).toThrow('unsafe use of rtreenode()');
  one.close();
  other.close();
});

test('doctor does not run it, and a copy contains it unchanged', async () => {
  const directory = temporaryFolder();
  openWorkspaceStore(directory).close();
  const file = hostileFile(directory);
  // SQLite ignores checks of a file that it opens read-only. A copy with a log is opened for writing.
  expect(() => checkPages({ file, path: file, way: 'copy' }, true, () => undefined)).toThrow(
    'unsafe use of rtreenode()',
  );
  const target = join(temporaryFolder(), 'copy');
  await copyWorkspace({ source: directory, target, withSecrets: false });
  const copy = new DatabaseSync(join(target, 'plant.db'), { readOnly: true });
  expect(copy.prepare('SELECT v FROM t').all()).toEqual([{ v: 1 }]);
  copy.close();
});
