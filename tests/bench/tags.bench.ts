import { TagCatalog } from '../../src-main/plant/tags/definitions/catalog.ts';
import { completionsOf } from '../../src-main/plant/tags/definitions/completion.ts';
import { inertKind } from '../../src-main/plant/tags/kinds/inert.ts';
import { nearestPaths } from '../../src-main/plant/tags/definitions/nearest.ts';
import { Tag } from '../../src-main/plant/tags/definitions/tag.ts';
import type { Bench } from './bench.ts';
import { median, timesOf } from './compare.ts';

const TAGS = 50_000;
const ROUNDS = 9;

function largeCatalog(): TagCatalog {
  const kind = inertKind('storage', 'only its path matters here');
  const catalog = new TagCatalog();
  catalog.add(
    Array.from({ length: TAGS }, (_, n) => {
      const path = `Plant.Area${n % 20}.Line${n % 50}.Machine${n}.Motor.Speed`;
      return new Tag(n + 1, { path, kind: 'storage', type: 'Int', description: '', unit: '', settings: {} }, kind);
    }),
  );
  return catalog;
}

async function slowestMedian(texts: readonly string[], work: (text: string) => unknown) {
  const medians: number[] = [];
  for (const text of texts) medians.push(median(await timesOf(() => work(text), ROUNDS)));
  return {
    figure: Math.max(...medians),
    detail: texts.map((text, at) => `${text}: ${medians[at]?.toFixed(1)} ms`).join(', '),
  };
}

export const benches: Bench[] = [
  {
    area: 'tags',
    name: 'completion among 50,000 tags, the slowest of several words',
    unit: 'ms',
    goal: { atMost: 50 },
    run() {
      const catalog = largeCatalog();
      const words = ['Plant.Area1', 'machine4711', 'motor.sp', 'e', 'zzz', 'area1 line7'];
      return slowestMedian(words, (text) => completionsOf(catalog, text, 200));
    },
  },
  {
    area: 'tags',
    name: 'the nearest paths to a misspelt one among 50,000 tags',
    unit: 'ms',
    goal: { atMost: 60 },
    run() {
      const catalog = largeCatalog();
      return slowestMedian(['Plant.Area5.Line5.Machine5.Moter.Sped'], (text) => nearestPaths(catalog, text));
    },
  },
];
