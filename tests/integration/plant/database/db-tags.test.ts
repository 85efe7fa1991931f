import { describe, expect, test } from 'vitest';
import { DEFAULT_SCOPE } from '#domain/tag/scope';
import type { TagType } from '#domain/tag/tag';
import { thrownBy } from '../../../support/thrown-by.ts';
import { dbTag, HOURS, one, plantWorkspace, write } from './plant-workspace.ts';

const ORDERS = `
  CREATE TABLE orders (number INTEGER PRIMARY KEY, product TEXT NOT NULL, quantity REAL, done INTEGER DEFAULT 0);
  INSERT INTO orders VALUES (4711, 'Still water', 180000, 1), (4712, 'Lemon', 96000.5, 0);`;
const INSERT = 'INSERT INTO orders (number, product, quantity) VALUES (:number, :value.product, :quantity)';

async function reading(type: TagType, readSql: string, setUp = ORDERS) {
  const { tags } = await plantWorkspace(setUp);
  await tags.definitions.save(dbTag('Db.Orders.Value', type, { readSql }));
  return one(tags, 'Db.Orders.Value');
}

describe('a read of a DB tag', () => {
  test.each<[TagType, string, unknown]>([
    ['Int', 'SELECT count(*) FROM orders', 2],
    ['Double', 'SELECT quantity FROM orders WHERE number = 4712', 96_000.5],
    ['String', 'SELECT product FROM orders WHERE number = 4711;', 'Still water'],
    ['Boolean', 'SELECT done FROM orders WHERE number = 4711', true],
    ['String', 'SELECT 9007199254740993', '9007199254740993'],
    ['Bytes', "SELECT x'00010203'", 'AAECAw=='],
    ['DateTime', "SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 0, 'unixepoch')", '1970-01-01T00:00:00.000Z'],
    ['Double', 'SELECT NULL', null],
    ['Json', 'SELECT 5', 5],
    ['Json', 'VALUES (1), (2)', [{ column1: 1 }, { column1: 2 }]],
    ['Json', 'SELECT number, done FROM orders WHERE number < 0', []],
    [
      'Json',
      'WITH o AS (SELECT * FROM orders) SELECT number, product AS "the product" FROM o ORDER BY number',
      [
        { number: 4711, 'the product': 'Still water' },
        { number: 4712, 'the product': 'Lemon' },
      ],
    ],
    ['String', "SELECT :tagName || coalesce(:diagram, '-') || coalesce(:location, '-')", 'Db.Orders.Value--'],
    ['String', "SELECT ':value; PRAGMA' -- ? :nothing ; DROP TABLE orders", ':value; PRAGMA'],
  ])('of type %s by %s', async (type, sql, value) => {
    expect(await reading(type, sql)).toEqual({ path: 'Db.Orders.Value', value, quality: 'Good', type });
  });

  test('of a tag that is requested several times happens once', async () => {
    const { tags } = await plantWorkspace(ORDERS);
    await tags.definitions.save(dbTag('Db.Random.Value', 'Double', { readSql: 'SELECT random() % 1000000000' }));
    const paths = ['Db.Random.Value', 'Db.Absent.Value', ...Array<string>(99).fill('Db.Random.Value')];
    const values = await tags.get({ paths });
    expect(values.map(({ quality }) => quality)).toEqual([
      'Good',
      'BadNodeIdUnknown',
      ...Array<string>(99).fill('Good'),
    ]);
    expect(new Set(values.map(({ value }) => value)).size).toBe(2);
  });

  test.each<[string, TagType, string, string, RegExp]>([
    ['a missing table', 'Int', 'SELECT * FROM absent', 'BadConfigurationError', /no such table: absent/],
    ['invalid SQL', 'Int', 'SELECT FROM WHERE', 'BadConfigurationError', /syntax error/],
    [
      'a value of another type',
      'Int',
      'SELECT product FROM orders LIMIT 1',
      'BadTypeMismatch',
      /cannot be converted to Int/,
    ],
    ['rows instead of one value', 'Int', 'SELECT number FROM orders', 'BadTypeMismatch', /is Json/],
    ['a date that SQLite writes', 'DateTime', 'SELECT datetime(0)', 'BadTypeMismatch', /strftime/],
    ['no row', 'Int', 'SELECT number FROM orders WHERE number = 1', 'BadNoData', /no row/],
    ['infinity', 'Double', 'SELECT 9e999', 'BadTypeMismatch', /Infinity/],
    [
      'two columns with the same name',
      'Json',
      'SELECT 1 AS a, 2 AS a',
      'BadConfigurationError',
      /two columns are named "a"/,
    ],
    [
      'a statement that fails while it runs',
      'Int',
      "SELECT json_extract('{', '$')",
      'BadInternalError',
      /malformed JSON/,
    ],
    [
      'a pragma as a table',
      'Json',
      "SELECT * FROM pragma_table_info('orders')",
      'BadConfigurationError',
      /PRAGMA is not allowed/,
    ],
    ['a function that loads code', 'Int', "SELECT load_extension('x')", 'BadConfigurationError', /load_extension/],
    ['a text of 1 GB', 'String', 'SELECT hex(zeroblob(600000000))', 'BadOutOfMemory', /too big/],
  ])('of %s is bad and says why', async (_what, type, sql, quality, reason) => {
    const value = await reading(type, sql);
    expect(value).toMatchObject({ value: null, quality });
    expect(value.reason).toMatch(reason);
  });

  test('that exceeds the row limit is bad, and returns no part of the rows', async () => {
    const { tags, settings } = await plantWorkspace();
    await tags.definitions.save(
      dbTag('Db.Many.Value', 'Json', {
        readSql: 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 11) SELECT x FROM c',
      }),
    );
    settings['db.maxRows'] = 10;
    expect(await one(tags, 'Db.Many.Value')).toMatchObject({ value: null, quality: 'BadOutOfRange' });
    settings['db.maxRows'] = 11;
    expect((await one(tags, 'Db.Many.Value')).value).toHaveLength(11);
  });

  test('that never ends is interrupted, and the other tags of its Get are read', async () => {
    const { tags, settings } = await plantWorkspace(ORDERS);
    settings['db.statementMs'] = 1_500;
    await tags.definitions.save(
      dbTag('Db.Slow.Value', 'Int', {
        readSql: 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c',
      }),
    );
    await tags.definitions.save(dbTag('Db.Quick.Value', 'Int', { readSql: 'SELECT count(*) FROM orders' }));
    const values = await tags.get({ paths: ['Db.Quick.Value', 'Db.Slow.Value', 'Db.Quick.Value'] });
    expect(values.map(({ value, quality }) => [value, quality])).toEqual([
      [2, 'Good'],
      [null, 'BadTimeout'],
      [2, 'Good'],
    ]);
    expect(values[1]?.reason).toContain('db.statementMs');
  });

  test('that is slow does not delay other reads', async () => {
    const { tags, settings } = await plantWorkspace(ORDERS);
    settings['db.statementMs'] = HOURS;
    await tags.definitions.save(
      dbTag('Db.Slow.Value', 'Int', {
        readSql: 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c',
      }),
    );
    await tags.definitions.save(dbTag('Db.Quick.Value', 'Int', { readSql: 'SELECT count(*) FROM orders' }));
    await one(tags, 'Db.Quick.Value');
    const end = new AbortController();
    let isOver = false;
    const slow = Promise.resolve(tags.get({ paths: ['Db.Slow.Value'] }, end.signal)).finally(() => (isOver = true));
    expect(await one(tags, 'Db.Quick.Value')).toMatchObject({ value: 2 });
    expect(isOver).toBe(false);
    end.abort();
    expect(await slow).toMatchObject([{ quality: 'BadNotConnected' }]);
  });
});

describe('a write of a DB tag', () => {
  test('binds the value and its members, whatever they contain', async () => {
    const { tags, sql } = await plantWorkspace(ORDERS);
    await tags.definitions.save(dbTag('Db.Order.New', 'Json', { writeSql: INSERT }));
    const product = `Robert'); DROP TABLE orders; --`;
    const [written] = await tags.set({ items: [write('Db.Order.New', { number: 1, product, quantity: 5 })] });
    expect(written).toMatchObject({ quality: 'Good', value: { number: 1, product, quantity: 5 } });
    expect(sql('SELECT * FROM orders WHERE number = 1')).toEqual([{ number: 1, product, quantity: 5, done: 0 }]);
  });

  test.each<[TagType, unknown, string, unknown]>([
    ['Int', 5, 'integer', 5],
    ['Double', 5, 'real', 5],
    ['Boolean', true, 'integer', 1],
    ['String', 'ü\u0000"\'', 'text', 'ü\u0000"\''],
    ['DateTime', '2026-08-01T06:00:00Z', 'text', '2026-08-01T06:00:00.000Z'],
    ['Bytes', 'AAEC', 'blob', Uint8Array.of(0, 1, 2)],
    ['Json', [1, { a: null }], 'text', '[1,{"a":null}]'],
    ['Json', null, 'null', null],
    ['Int', 9_007_199_254_740_991, 'integer', 9_007_199_254_740_991],
  ])('binds a %s of %j as %s', async (type, value, sort, stored) => {
    const { tags, sql } = await plantWorkspace('CREATE TABLE t (v, at)');
    await tags.definitions.save(dbTag('Db.T.Value', type, { writeSql: 'INSERT INTO t VALUES (:value, :tagName)' }));
    await tags.set({ items: [write('Db.T.Value', value as never)] });
    expect(sql('SELECT typeof(v) AS sort, v, at FROM t')).toEqual([{ sort, v: stored, at: 'Db.T.Value' }]);
  });

  test.each([
    [{ product: 'x', quantity: 1 }, /names :number.*no member "number", but product, quantity/],
    [{ number: 1, quantity: 1 }, /:value\.product.*no member "product"/],
    [5, /not an object with a member "number"/],
    [{ number: 1, product: 'half \ud83d', quantity: 1 }, /the text for :value\.product contains an unpaired surrogate/],
    [{ number: 4711, product: 'x', quantity: 1 }, /UNIQUE constraint failed: orders\.number/],
    [{ number: 1, product: null, quantity: 1 }, /NOT NULL constraint failed/],
  ])('of %j is rejected with the reason', async (value, reason) => {
    const { tags, sql } = await plantWorkspace(ORDERS);
    await tags.definitions.save(dbTag('Db.Order.New', 'Json', { writeSql: INSERT }));
    const error = await thrownBy(() => tags.set({ items: [write('Db.Order.New', value)] }));
    expect(error.code).toBe('WRITE_REFUSED');
    expect(error.message).toMatch(reason);
    expect(sql('SELECT count(*) AS n FROM orders')).toEqual([{ n: 2 }]);
  });

  test('and a read of a tag without the SQL for it are rejected', async () => {
    const { tags } = await plantWorkspace(ORDERS);
    await tags.definitions.save(dbTag('Db.Only.Read', 'Int', { readSql: 'SELECT 1' }));
    await tags.definitions.save(dbTag('Db.Only.Write', 'Int', { writeSql: 'DELETE FROM orders' }));
    expect(await one(tags, 'Db.Only.Write')).toMatchObject({ quality: 'BadNotReadable', reason: 'it has no read SQL' });
    const error = await thrownBy(() => tags.set({ items: [write('Db.Only.Read', 1)] }));
    expect(error.message).toContain('no write SQL');
  });

  test('that never ends is interrupted with nothing written', async () => {
    const { tags, settings, sql } = await plantWorkspace(ORDERS);
    settings['db.statementMs'] = 300;
    const endless = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x, :value, 1, 1 FROM c';
    await tags.definitions.save(
      dbTag('Db.Slow.Value', 'String', { writeSql: `INSERT INTO orders ${endless} WHERE x > 10000` }),
    );
    await tags.definitions.save(
      dbTag('Db.Clear.Value', 'Int', { writeSql: 'DELETE FROM orders WHERE number > :value' }),
    );
    const error = await thrownBy(() => tags.set({ items: [write('Db.Clear.Value', 0), write('Db.Slow.Value', 'x')] }));
    expect(error.message).toContain('ran longer than 300 ms');
    expect(sql('SELECT count(*) AS n FROM orders')).toEqual([{ n: 2 }]);
    await tags.set({ items: [write('Db.Clear.Value', 0)] });
    expect(sql('SELECT count(*) AS n FROM orders')).toEqual([{ n: 0 }]);
  });
});

describe('the settings of a DB tag', () => {
  test.each([
    ['readSql', 'DELETE FROM orders', /begins with SELECT, WITH or VALUES/],
    ['readSql', 'SELECT 1; SELECT 2', /one statement/],
    ['readSql', 'PRAGMA user_version', /begins with/],
    ['readSql', "/* a */ -- b\n ATTACH 'x' AS y", /begins with/],
    ['readSql', 'SELECT :value', /:value: a read has/],
    ['readSql', 'SELECT ?', /parameters are named/],
    ['readSql', 'SELECT @a', /parameters are named/],
    ['readSql', "SELECT 'a", /ends inside/],
    ['writeSql', 'SELECT 1', /begins with INSERT/],
    ['writeSql', 'BEGIN', /begins with/],
    ['writeSql', 'VACUUM', /begins with/],
    ['writeSql', 'CREATE TABLE x (a)', /begins with/],
    ['writeSql', 'DELETE FROM t; COMMIT', /one statement/],
    ['writeSql', 'DELETE FROM t WHERE a = :name.b', /only the value has members/],
    ['readSql', ' -- nothing\n', /write a statement/],
  ])('reject %s: %s', async (member, text, reason) => {
    const { tags } = await plantWorkspace();
    const error = await thrownBy(() => tags.definitions.save(dbTag('Db.Bad.Value', 'Json', { [member]: text })));
    expect(error.data['issues']).toEqual([{ path: ['settings', member], message: expect.stringMatching(reason) }]);
  });

  test('require at least one statement', async () => {
    const { tags } = await plantWorkspace();
    const error = await thrownBy(() => tags.definitions.save(dbTag('Db.Bad.Value', 'Json', {})));
    expect(error.message).toContain('readSql, writeSql or both');
  });
});

test.each([
  ['a write hidden in a read', 'WITH x AS (SELECT 1) DELETE FROM orders', 'read'],
  ['a read declared as a write', 'WITH x AS (SELECT 1) SELECT * FROM x', 'write'],
])('%s does no harm when it runs', async (_what, sql, mode) => {
  const { db, sql: query } = await plantWorkspace(ORDERS);
  if (mode === 'read') await thrownBy(() => db.try({ sql, mode: 'read' }));
  else expect(await db.try({ sql, mode: 'write' })).toMatchObject({ rows: [[1]], changes: 0 });
  expect(query('SELECT count(*) AS n FROM orders')).toEqual([{ n: 2 }]);
});

test('scopes are bound as parameters and have no other effect', async () => {
  const { tags } = await plantWorkspace();
  await tags.definitions.save(dbTag('Db.Scope.Value', 'String', { readSql: "SELECT :diagram || '/' || :location" }));
  const session = tags.session({ dryRun: false });
  expect(await session.get(['Db.Scope.Value'], { diagram: 'D', location: 'L' })).toMatchObject([{ value: 'D/L' }]);
  expect(await session.get(['Db.Scope.Value'], DEFAULT_SCOPE)).toMatchObject([{ value: null }]);
});
