import { describe, expect, test, onTestFinished } from 'vitest';
import type { TagWorkspace } from './tag-workspace.ts';
import { storage, tagOf, tagWorkspace } from './tag-workspace.ts';

const PATH = 'Line1.Shift.Count.Value';
const OTHER = 'Line1.Shift.Waste.Value';

/** A watch whose batches are read one by one. It ends with the test. */
function watching({ tags }: TagWorkspace, paths: string[], scope: { diagram?: string; location?: string } = {}) {
  const stop = new AbortController();
  const batches = tags.watch({ paths, ...scope }, stop.signal);
  onTestFinished(() => stop.abort());
  const next = async () => {
    const result = await batches.next();
    return result.done
      ? null
      : result.value.map(({ path, value, quality }) => `${path.split('.')[2]}=${JSON.stringify(value)} ${quality}`);
  };
  return { next, stop, batches };
}
const soon = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function workspace() {
  const made = tagWorkspace();
  await made.tags.definitions.save(storage(PATH, 'Int', { initial: 0 }));
  await made.tags.definitions.save(storage(OTHER, 'Int', { initial: 0 }));
  return made;
}

describe('watch', () => {
  test('sends all values at once, then only changes', async () => {
    const made = await workspace();
    const { next } = watching(made, [PATH, OTHER, PATH, 'No.Such.Tag']);
    expect(await next()).toEqual(['Count=0 Good', 'Waste=0 Good', 'Tag=null BadNodeIdUnknown']);
    await made.tags.set({ items: [{ tag: OTHER, value: 3 }] });
    expect(await next()).toEqual(['Waste=3 Good']);
  });

  test('sends values of many MB in several batches', async () => {
    const made = await workspace();
    const paths = Array.from({ length: 5 }, (_, index) => `Line1.Large${index}.Text.Value`);
    for (const path of paths) await made.tags.definitions.save(storage(path, 'String', { initial: 0 }));
    const items = paths.map((tag, index) => ({ tag, value: 'x'.repeat(index === 1 ? 9_000_000 : 4_000_000) }));
    await made.tags.set({ items });
    const { batches } = watching(made, [PATH, ...paths, OTHER]);
    const next = async () => (await batches.next()).value?.map(({ path }) => path.split('.')[1]);
    expect([await next(), await next(), await next(), await next()]).toEqual([
      ['Shift', 'Large0'],
      ['Large1'],
      ['Large2', 'Large3'],
      ['Large4', 'Shift'],
    ]);
  });

  test('merges changes between reads, and skips a change that was undone', async () => {
    const made = await workspace();
    const { next } = watching(made, [PATH, OTHER]);
    await next();
    for (let value = 1; value <= 30; value++) await made.tags.set({ items: [{ tag: PATH, value }] });
    await made.tags.set({ items: [{ tag: OTHER, value: 9 }] });
    await made.tags.set({ items: [{ tag: OTHER, value: 0 }] });
    expect(await next()).toEqual(['Count=30 Good']);
  });

  test('sends at most ten batches a second', async () => {
    const made = await workspace();
    const { next } = watching(made, [PATH]);
    await next();
    const writing = new AbortController();
    const writer = (async () => {
      for (let value = 1; !writing.signal.aborted; value++) await made.tags.set({ items: [{ tag: PATH, value }] });
    })();
    const started = performance.now();
    for (let batch = 0; batch < 7; batch++) await next();
    writing.abort();
    await writer;
    // The first one may have waited for its reader.
    expect(performance.now() - started).toBeGreaterThan(550);
  });

  test('sees the values of its scope', async () => {
    const made = await workspace();
    const { next } = watching(made, [PATH], { diagram: 'Filler', location: 'Hall 1' });
    await next();
    await made.tags.set({ items: [{ tag: PATH, value: 1 }], location: 'Hall 2' });
    await made.tags.set({ items: [{ tag: PATH, value: 2 }], location: 'Hall 1' });
    expect(await next()).toEqual(['Count=2 Good']);
    await made.tags.set({ items: [{ tag: PATH, value: 3 }] });
    await made.tags.set({ items: [{ tag: PATH, value: 4 }], diagram: 'Filler' });
    expect(await next()).toEqual(['Count=4 Good']);
  });

  test('sends tags that are created, deleted, forced, overridden or released', async () => {
    const made = await workspace();
    const path = 'Line1.Filler.Speed';
    const { next } = watching(made, [path]);
    expect(await next()).toEqual(['Speed=null BadNodeIdUnknown']);
    await made.tags.definitions.save(tagOf(path, 'machine', 'Int', { signal: { kind: 'constant', value: 5 } }));
    expect(await next()).toEqual(['Speed=5 Good']);
    await made.tags.force({ path, quality: 'BadNotConnected' });
    expect(await next()).toEqual(['Speed=null BadNotConnected']);
    await made.tags.force({ path, quality: null });
    await made.tags.set({ items: [{ tag: path, value: 7 }] });
    expect(await next()).toEqual(['Speed=7 GoodLocalOverride']);
    await made.tags.release({ paths: [path] });
    expect(await next()).toEqual(['Speed=5 Good']);
    const text = JSON.stringify([tagOf(path, 'storage', 'Int', { initial: 8 })]);
    await made.tags.definitions.import({ format: 'json', text });
    expect(await next()).toEqual(['Speed=8 Good']);
    await made.tags.definitions.delete({ paths: [path] });
    expect(await next()).toEqual(['Speed=null BadNodeIdUnknown']);
  });

  test('reads machine tags when they update, and sends nothing without changes', async () => {
    const made = tagWorkspace({ realTime: true });
    const signal = { kind: 'counter', start: 0, increment: 1, everyMs: 1, wrapAt: 1_000_000 };
    await made.tags.definitions.save(tagOf('Line1.Fast.Count', 'machine', 'Int', { signal, updateMs: 150 }));
    await made.tags.definitions.save(
      tagOf('Line1.Still.Level', 'machine', 'Int', { signal: { kind: 'constant', value: 1 }, updateMs: 10 }),
    );
    const { next } = watching(made, ['Line1.Fast.Count', 'Line1.Still.Level']);
    expect(await next()).toHaveLength(2);
    const started = performance.now();
    for (let batch = 0; batch < 5; batch++) expect(await next()).toEqual([expect.stringMatching(/^Count=\d+ Good$/)]);
    const took = performance.now() - started;
    // The first one may have waited for its reader.
    expect(took).toBeGreaterThan(440);
    expect(took).toBeLessThan(30_000);
  });

  test('ends with its signal, with the service, and when its reader stops', async () => {
    const made = await workspace();
    const aborted = watching(made, [PATH]);
    await aborted.next();
    const waiting = aborted.next();
    await soon(20);
    aborted.stop.abort();
    expect(await waiting).toBeNull();

    const left = watching(made, [PATH]);
    await left.next();
    await left.batches.return();
    expect(await left.next()).toBeNull();

    const early = new AbortController();
    early.abort();
    expect((await made.tags.watch({ paths: [PATH] }, early.signal).next()).done).toBe(true);

    const closed = watching(made, []);
    expect(await closed.next()).toEqual([]);
    const last = closed.next();
    made.tags.close();
    expect(await last).toBeNull();
  });

  test('watches 50,000 tags in batches, and detects one change', async () => {
    const made = tagWorkspace();
    const definitions = Array.from({ length: 50_000 }, (_, index) =>
      storage(`Plant.Machine${index}.Count.Value`, 'Int'),
    );
    await made.tags.definitions.import({ format: 'json', text: JSON.stringify(definitions) });
    const { batches } = watching(
      made,
      definitions.map(({ path }) => path),
    );
    const received = new Set<string>();
    while (received.size < 50_000) {
      const values = (await batches.next()).value ?? [];
      expect(values.length).toBeLessThanOrEqual(1_000);
      for (const { path } of values) received.add(path);
    }
    await made.tags.set({ items: [{ tag: 'Plant.Machine777.Count.Value', value: 1 }] });
    expect((await batches.next()).value).toMatchObject([{ path: 'Plant.Machine777.Count.Value', value: 1 }]);
  });
});
