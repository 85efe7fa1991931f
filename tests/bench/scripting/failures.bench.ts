import type { RunContext } from '#domain/run/run';
import type { Bench } from '../bench.ts';
import { withWorkbench } from '../own-workbench.ts';

const GETS = 50;
const CALLS = 50;
/** A hundred calls with 18 failures each. */
const REPLAYS = 1_800;
const context: RunContext = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
const paths = Array.from({ length: GETS }, (_, index) => `Bench.T${index}.Value`);
/** Every call is on a line of its own. Without a mock, no API call is made. */
const BODY = [
  'let sum = 0;',
  ...paths.map((path) => `sum += TagValueManager.Get(['${path}']).Value[0].Value ?? 0;`),
  ...Array.from({ length: CALLS }, (_, index) => `ApiValueManager.Fetch('http://127.0.0.1:9/${index}', 'get');`),
  'return sum;',
].join('\n');

export const benches: Bench[] = [
  {
    area: 'failures',
    name: 'a failure matrix of 100 calls: the time of 1,800 replays',
    unit: 's',
    goal: { atMost: 10 },
    run: () =>
      withWorkbench(async ({ services: { tags, failures, runs } }) => {
        await tags.definitions.import({
          format: 'json',
          text: JSON.stringify(
            paths.map((path, index) => {
              const texts = { description: '', unit: '' };
              return { path, kind: 'storage', type: 'Double', ...texts, settings: { initial: index } };
            }),
          ),
        });
        const started = performance.now();
        let cells = 0;
        for await (const step of failures.try({ body: BODY, context }, new AbortController().signal)) {
          if (step.kind === 'matrix') cells = step.matrix.cells.length;
        }
        const seconds = (performance.now() - started) / 1_000;
        if (cells < 6 * (GETS + CALLS)) throw new Error(`only ${cells} failures were tried`);
        const plain = performance.now();
        const report = await runs.execute({ body: BODY, context, dryRun: true });
        if (report.status !== 'ok') throw new Error(JSON.stringify(report.error));
        const run = performance.now() - plain;
        const detail = `${cells} replays in ${seconds.toFixed(1)} s; one plain run: ${run.toFixed(1)} ms`;
        return { figure: (seconds * REPLAYS) / cells, detail };
      }),
  },
];
