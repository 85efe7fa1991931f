import { cpus } from 'node:os';
import type { Bench } from './bench.ts';
import { isMet, textOfGoal } from './bench.ts';

/**
 * `npm run bench [-- WORD…]`: measures every speed and memory goal whose area or name contains one of the words. Ratios
 * compare two sides within one run, so only ratios can be compared between machines. Exits with 0 whether goals are met
 * or missed, because a noisy machine is not a failure.
 */
const AREAS: (() => Promise<{ benches: Bench[] }>)[] = [
  () => import('./scripting/sandbox.bench.ts'),
  () => import('./scripting/debugger.bench.ts'),
  () => import('./plant/storage.bench.ts'),
  () => import('./plant/tags.bench.ts'),
  () => import('./plant/search.bench.ts'),
  () => import('./events/aggregation.bench.ts'),
  () => import('./scripting/journal.bench.ts'),
  () => import('./events/events-api.bench.ts'),
  () => import('./events/recovery.bench.ts'),
  () => import('./events/events-growth.bench.ts'),
  () => import('./plant/write-sets.bench.ts'),
  () => import('./scripting/nesting.bench.ts'),
  () => import('./scripting/failures.bench.ts'),
  () => import('./scripting/api.bench.ts'),
  () => import('./process/command-line.bench.ts'),
  () => import('./window/editor.bench.ts'),
  () => import('./window/typing.bench.ts'),
  () => import('./window/views.bench.ts'),
  () => import('./window/scrolling.bench.ts'),
  () => import('./process/main-loop.bench.ts'),
  () => import('./process/memory.bench.ts'),
  () => import('./events/hub.bench.ts'),
  () => import('./scale/scale.bench.ts'),
];

const words = process.argv.slice(2).map((word) => word.toLowerCase());
const wanted = ({ area, name, onRequest = false }: Bench) =>
  (words.length === 0 && !onRequest) || words.some((word) => `${area} ${name}`.toLowerCase().includes(word));

console.log(
  `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model ?? '?'}\n`,
);
let missed = 0;
for (const load of AREAS) {
  const { benches } = await load();
  for (const bench of benches.filter(wanted)) {
    const reason = bench.skip?.() ?? null;
    if (reason !== null) {
      console.log(`skipped ${bench.area}: ${bench.name}: ${reason}`);
      continue;
    }
    const { figure, detail } = await bench.run();
    const met = isMet(bench, figure);
    if (!met) missed += 1;
    const measured = `${figure.toFixed(figure < 10 ? 2 : 0)} ${bench.unit}`;
    console.log(`${met ? 'met   ' : 'MISSED'}  ${bench.area}: ${bench.name}: ${measured} (goal ${textOfGoal(bench)})`);
    console.log(`        ${detail}`);
  }
}
console.log(missed === 0 ? '\nEvery goal was met.' : `\n${missed} missed.`);
process.exit(0);
