/** The generator "mulberry32": numbers in [0, 1). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A random selection of some of them, in their order. */
export function picked<Item>(all: readonly Item[], count: number, random: () => number): Item[] {
  const ranked = all.map((item, place) => ({ item, place, rank: random() }));
  const kept = ranked.toSorted((a, b) => a.rank - b.rank).slice(0, count);
  return kept.toSorted((a, b) => a.place - b.place).map(({ item }) => item);
}

/** The seed of this test run: the one in TAGWRIGHT_SEED, else a new one, which workers and programs get by their environment. */
export function seedOfRun(): number {
  process.env['TAGWRIGHT_SEED'] ??= String(Date.now() % 2 ** 31);
  return Number(process.env['TAGWRIGHT_SEED']);
}
