import { fc } from '../../../support/run/random.ts';
import { expect, test } from 'vitest';
import type { SqlMode } from '../../../../src-main/storage/plant/sql-text.ts';
import { checkSql, MAX_SQL_LENGTH } from '../../../../src-main/storage/plant/sql-text.ts';

const accepted = (sql: string, mode: SqlMode = 'read') => {
  const checked = checkSql(sql, mode);
  if (!checked.ok) throw new Error(checked.reason);
  return checked.text;
};

test('finds the parameters, and nothing in strings, names and comments', () => {
  const text = accepted(
    `INSERT INTO "a:b" VALUES (:value, ':no', [:no], \`:no\`, :value.x.y, :größe /* :no */, :value) -- :no`,
    'write',
  );
  expect(text.parameters.map(({ path }) => path)).toEqual([['value'], ['value', 'x', 'y'], ['größe']]);
});

test('converts a member to one name that SQLite accepts as a parameter', () => {
  const { sql, parameters } = accepted('UPDATE t SET a = :value.b, c = t.d WHERE e = :value', 'write');
  const [member] = parameters;
  expect(sql).toBe(`UPDATE t SET a = :${member?.bound}, c = t.d WHERE e = :value`);
  expect(member?.bound).not.toContain('.');
});

test('removes the semicolon at the end, with everything after it', () => {
  expect(accepted('SELECT 1 ; -- done\n;').sql.trim()).toMatch(/^SELECT 1\s+-- done$/);
});

test.each([
  ['SELECT 1; ATTACH x', /more after the semicolon/],
  ["SELECT '", /ends inside/],
  ['SELECT "', /ends inside/],
  ['SELECT 1 /* ', /ends inside/],
  ['SELECT [a', /ends inside/],
  ['SELECT \0', /zero character/],
  ['', /write a statement/],
  [';', /write a statement/],
  ['EXPLAIN SELECT 1', /begins with/],
  ['-- SELECT 1\nVACUUM', /begins with/],
  ['"SELECT" 1', /begins with/],
  [`SELECT ${'1'.repeat(MAX_SQL_LENGTH)}`, /at most/],
  ['SELECT $a', /parameters are named/],
  ['SELECT #1', /parameters are named/],
  ['SELECT :1', /parameters are named/],
])('rejects %j', (sql, reason) => {
  const checked = checkSql(sql, 'read');
  expect(checked.ok ? '' : checked.reason).toMatch(reason);
});

test('handles any text without a fault, and changes accepted text only at parameters', () => {
  const piece = fc.constantFrom(
    'SELECT',
    ' ',
    "'",
    '"',
    '`',
    '[',
    ']',
    '--',
    '\n',
    '/*',
    '*/',
    ';',
    ':a',
    ':',
    '.',
    '😀',
    'x',
    '1',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const given = `SELECT ${pieces.join('')}`;
      const checked = checkSql(given, 'write');
      const read = checkSql(given, 'read');
      expect(checked.ok).toBe(false);
      if (read.ok && read.text.parameters.length === 0)
        expect(given.replaceAll(';', '')).toContain(read.text.sql.replaceAll(';', ''));
    }),
  );
});
