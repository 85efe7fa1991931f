import { describe, expect, test } from 'vitest';
import type { Json } from '#domain/text/json';
import { machine, readOne, storage, tagOf, tagWorkspace } from './tag-workspace.ts';

const MB = 1_048_576;
const A = 'Plant.Line.A.Value';
const B = 'Plant.Line.B.Value';
/** A text that takes this many MB of memory: a character counts as two bytes. */
const textOf = (mb: number): string => 'x'.repeat((mb * MB) / 2);

/** A workspace whose limit a test can change, and the number of values in its file. */
async function limited(mb: number) {
  let limit = mb;
  const workspace = tagWorkspace({ valuesMb: () => limit });
  for (const path of [A, B]) await workspace.tags.definitions.save(storage(path, 'Json'));
  await workspace.tags.definitions.save(machine('Plant.Line.M.Value', { kind: 'constant', value: 'm' }, 'String'));
  await workspace.tags.definitions.save(tagOf('Plant.Line.E.Value', 'erp', 'Json'));
  const stored = (table: string) => workspace.database.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  const set = (tag: string, value: Json, scope = {}) => workspace.tags.set({ items: [{ tag, value }], ...scope });
  return { ...workspace, set, stored, setLimit: (now: number) => (limit = now) };
}

const REFUSED = /"Plant\.Line\.\w\.Value": the values of all tags would take more than 10 MB .*limits\.valuesMb/;

describe('the memory of all values', () => {
  test('a write over the limit is rejected with the tag, and stores nothing', async () => {
    const { tags, set, stored } = await limited(10);
    await set(A, textOf(6));
    await expect(set(B, textOf(6))).rejects.toThrow(REFUSED);
    await expect(set('Plant.Line.M.Value', textOf(6))).rejects.toThrow(REFUSED);
    await expect(set('Plant.Line.E.Value', { text: textOf(6) })).rejects.toThrow(REFUSED);
    await expect(set(A, textOf(6), { diagram: 'D' })).rejects.toThrow(REFUSED);
    expect([stored('storage_values'), stored('erp_outbox'), readOne(tags, B).value]).toEqual([1, 0, null]);
    await set(B, 1);
  });

  test('counts the memory of many small parts, not their characters', async () => {
    const { set, stored } = await limited(10);
    await expect(
      set(
        A,
        Array.from({ length: 200_000 }, () => ({})),
      ),
    ).rejects.toThrow(REFUSED);
    expect(stored('storage_values')).toBe(0);
  });

  test('counts the scopes that have values, and releases them', async () => {
    const { tags, set, stored } = await limited(1);
    const scopes = Array.from({ length: 2_000 }, (_, n) => ({ diagram: `${n}`.padEnd(200, 'd') }));
    let kept = 0;
    for (const scope of scopes) {
      const refused = await set(A, 1, scope).then(
        () => false,
        () => true,
      );
      if (refused) break;
      kept += 1;
    }
    expect(kept).toBeGreaterThan(500);
    expect(kept).toBeLessThan(1_300);
    expect(stored('storage_values')).toBe(kept);
    for (const { diagram } of scopes.slice(0, kept)) await tags.clear({ path: A, diagram });
    await set(A, 1, scopes[0]);
  });

  test('is released when values are overwritten, cleared, released or deleted', async () => {
    const { tags, set } = await limited(10);
    const fits = textOf(9);
    for (let times = 0; times < 3; times += 1) {
      await set(A, textOf(6));
      await set(A, fits);
      await set(A, null);
      await set(A, fits, { diagram: 'D' });
      await tags.clear({ path: A, diagram: 'D' });
      await set('Plant.Line.M.Value', fits);
      await tags.release({ paths: ['Plant.Line.M.Value'] });
      await set(B, fits);
      expect(readOne(tags, B).value).toBe(fits);
      await tags.definitions.delete({ paths: [B] });
      await tags.definitions.save(storage(B, 'Json'));
    }
    expect(readOne(tags, A, { diagram: 'D' }).value).toBeNull();
  });

  test('allows a Set whose last values fit, but not two concurrent ones that do not', async () => {
    const { tags, set } = await limited(10);
    const items = [textOf(6), textOf(5), textOf(8)].map((value) => ({ tag: A, value }));
    await tags.set({ items });
    await set(A, 1);
    const both = await Promise.allSettled([set(A, textOf(6)), set(B, textOf(6))]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('may be above the limit at the start: it is reported, and values can shrink', async () => {
    const { set, reopen, setLimit, logged } = await limited(20);
    await set(A, textOf(12));
    setLimit(10);
    const reopened = reopen();
    expect(logged).toEqual([
      expect.stringMatching(/the values of all tags use 13 MB of memory, but limits.valuesMb allows 10 MB/),
    ]);
    const write = (value: Json) => reopened.set({ items: [{ tag: A, value }] });
    await expect(write(textOf(13))).rejects.toThrow('limits.valuesMb');
    await write(textOf(11));
    await expect(reopened.set({ items: [{ tag: B, value: 1 }] })).rejects.toThrow('limits.valuesMb');
    await write(textOf(5));
    await reopened.set({ items: [{ tag: B, value: 1 }] });
  });
});

describe('a Set', () => {
  test('whose values have too many characters for its response stores nothing', async () => {
    const { tags, stored } = await limited(512);
    const items = [A, B, A, B].map((tag) => ({ tag, value: textOf(40) }));
    await expect(tags.set({ items })).rejects.toThrow('write fewer of them in one Set');
    expect(stored('storage_values')).toBe(0);
  });
});
