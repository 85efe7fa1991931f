import { expect, test } from 'vitest';
import type { Json } from '#domain/text/json';
import { isJsonObject, parseJson } from '#domain/text/json';
import { DEFAULT_SCOPE } from '#domain/tag/scope';
import type { TagWrite } from '#domain/tag/tag';
import type { BatchKind } from '../../../../src-main/plant/tags/kinds/kind.ts';
import { thrownBy } from '../../../support/thrown-by.ts';
import { dbTag, one, plainTag, plantWorkspace, scriptedKind, write } from './plant-workspace.ts';

/*
 * Sets within Sets, as write scripts make them. Instead of scripts, a test kind executes the instructions that are
 * written to its tags, so that any nesting can be described: { sets: [[items], …], catching, read }.
 */

/** Tags that make the given writes, one Set after another or concurrently, and then read. */
function nestingKind(seen: Json[]): BatchKind {
  return scriptedKind({
    async onWrite(path, instructions, view) {
      if (!isJsonObject(instructions)) return;
      const { sets = [], catching = false, together = false, read = null } = instructions;
      const inner = view.within(path);
      const setOne = async (items: Json) => {
        try {
          await inner.set(items as unknown as TagWrite[], DEFAULT_SCOPE);
        } catch (thrown) {
          if (catching !== true) throw thrown;
        }
      };
      const all = Array.isArray(sets) ? sets : [];
      if (together === true) await Promise.all(all.map(setOne));
      else for (const items of all) await setOne(items);
      if (typeof read === 'string') seen.push((await inner.get([read], DEFAULT_SCOPE))[0]?.value ?? null);
    },
  });
}

async function nesting() {
  const seen: Json[] = [];
  const made = await plantWorkspace('CREATE TABLE t (v TEXT UNIQUE)', { kinds: [nestingKind(seen)] });
  const { tags } = made;
  await tags.definitions.save(dbTag('Db.T.Value', 'String', { writeSql: 'INSERT INTO t VALUES (:value)' }));
  await tags.definitions.save(
    dbTag('Db.T.All', 'String', { readSql: "SELECT coalesce(group_concat(v, ',' ORDER BY v), '') FROM t" }),
  );
  await tags.definitions.save(plainTag('Plant.A.Value', 'storage', 'Int'));
  await tags.definitions.save(plainTag('Nest.N.Value', 'script', 'Json'));
  const inTable = async () => (await one(tags, 'Db.T.All')).value;
  return { ...made, seen, inTable };
}

const row = (value: string) => ({ tag: 'Db.T.Value', value });
/** The instructions of a nesting tag. */
interface Instructions {
  sets: TagWrite[][];
  catching?: boolean;
  together?: boolean;
  read?: string;
}

const nest = (instructions: Instructions) => ({ tag: 'Nest.N.Value', value: parseJson(JSON.stringify(instructions)) });

test('a nested Set sees the rows of its outer Set, and is committed with it', async () => {
  const { tags, seen, inTable } = await nesting();
  await tags.set({
    items: [row('a'), nest({ sets: [[row('b'), write('Plant.A.Value', 1)]], read: 'Db.T.All' }), row('c')],
  });
  expect(seen).toEqual(['a,b']);
  expect(await inTable()).toBe('a,b,c');
  expect((await one(tags, 'Plant.A.Value')).value).toBe(1);
});

test('a rejected nested Set whose error is caught writes nothing', async () => {
  const { tags, seen, inTable } = await nesting();
  const inner = { catching: true, read: 'Db.T.All', sets: [[row('b'), row('a')], [row('d')]] };
  await tags.set({ items: [row('a'), nest(inner), row('c')] });
  expect(seen).toEqual(['a,d']);
  expect(await inTable()).toBe('a,c,d');
});

test('a rejected nested Set whose error is not caught rejects the whole Set', async () => {
  const { tags, inTable } = await nesting();
  const error = await thrownBy(() => tags.set({ items: [row('a'), nest({ sets: [[row('b'), row('a')]] })] }));
  expect(error.message).toContain('UNIQUE constraint failed');
  expect(await inTable()).toBe('');
});

test('concurrent nested Sets take turns, nested again or not', async () => {
  const { tags, inTable } = await nesting();
  const sets = Array.from({ length: 8 }, (_, n) => [
    row(`${n}`),
    nest({ sets: [[row(`${n}.1`)], [row('same')]], catching: true }),
    ...(n % 2 === 0 ? [row('0')] : []),
  ]);
  await tags.set({ items: [row('outer'), nest({ sets, together: true, catching: true })] });
  expect(await inTable()).toBe('0,1,1.1,2,2.1,3,3.1,5,5.1,7,7.1,outer,same');
});

test('a dry run nests in the same way and saves nothing', async () => {
  const { tags, seen, inTable } = await nesting();
  const session = tags.session({ dryRun: true });
  await session.set(
    [row('a'), nest({ sets: [[row('b')], [row('a')]], catching: true, read: 'Db.T.All' })],
    DEFAULT_SCOPE,
  );
  expect(seen).toEqual(['a,b']);
  expect((await session.get(['Db.T.All'], DEFAULT_SCOPE))[0]?.value).toBe('a,b');
  expect(await inTable()).toBe('');
});

test('rows undone by a timeout never leave half of a Set, even if it was caught', async () => {
  const { tags, settings, inTable } = await nesting();
  const before = settings['db.statementMs'];
  settings['db.statementMs'] = 300;
  const endless = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT :value || x FROM c';
  await tags.definitions.save(dbTag('Db.Slow.Value', 'String', { writeSql: `INSERT INTO t ${endless}` }));
  const slow = nest({ sets: [[write('Db.Slow.Value', 'x')]], catching: true });
  const error = await thrownBy(() => tags.set({ items: [row('a'), write('Plant.A.Value', 1), slow] }));
  expect(error.code).toBe('WRITE_REFUSED');
  settings['db.statementMs'] = before;
  expect(await inTable()).toBe('');
  expect((await one(tags, 'Plant.A.Value')).value).toBeNull();
});

test('many concurrent runs that write, nest and read all end', async () => {
  const { tags, sql } = await nesting();
  const ends = await Promise.allSettled(
    Array.from({ length: 60 }, (_, n) => {
      const items = [row(`${n}`), nest({ sets: [[row(`${n}.1`)]], read: 'Db.T.All' }), write('Plant.A.Value', n)];
      return n % 3 === 0 ? tags.session({ dryRun: true }).set(items, DEFAULT_SCOPE) : tags.set({ items });
    }),
  );
  expect(ends.filter(({ status }) => status === 'rejected')).toEqual([]);
  expect(sql('SELECT count(*) AS n FROM t')).toEqual([{ n: 80 }]);
});
