import type { RunContext } from '#domain/run/run';
import type { TagDefinition } from '#domain/tag/tag';
import type { Workbench } from '../../../src-main/workbench.ts';
import type { Bench } from '../bench.ts';
import { compare, repeating, type Side } from '../compare.ts';
import { FRESH_BODIES } from '../peers/fresh-bodies.ts';
import { startPeer } from '../peers/peer.ts';
import { withWorkbench } from '../own-workbench.ts';

const CALCULATIONS = 1_000;
const SIGNALS = 500;
const context: RunContext = { tagName: 'Bench.Outer.Value', tagScopeDiagram: null, tagScopeLocation: null };

const signal = (index: number) => `Bench.Signals.S${index % SIGNALS}.Value`;
const calculation = (index: number) => `Bench.Calculations.C${index}.Value`;
/** Two inputs and some arithmetic, typical of rates and shares. */
const expression = (index: number, tag: (path: string) => string) =>
  `Math.round(${tag(signal(index))} / (${tag(signal(index * 7 + 1))} + 1) * 1000) / 10`;

const tagOf = (path: string, kind: TagDefinition['kind'], settings: TagDefinition['settings']): TagDefinition => ({
  path,
  kind,
  type: 'Double',
  description: '',
  unit: '',
  settings,
});

async function resultOf(workbench: Workbench, body: string): Promise<unknown> {
  const report = await workbench.services.runs.execute({ body, context, dryRun: false });
  if (report.status !== 'ok') throw new Error(JSON.stringify(report.error));
  return report.result;
}

export const benches: Bench[] = [
  {
    area: 'nesting',
    name: '1,000 calculation tags in one Get, against the same expressions in one plain script',
    unit: '×',
    goal: { atMost: 3 },
    run: () =>
      withWorkbench(async (workbench) => {
        const { tags } = workbench.services;
        const paths = Array.from({ length: CALCULATIONS }, (_, index) => calculation(index));
        const definitions = [
          ...Array.from({ length: SIGNALS }, (_, index) => tagOf(signal(index), 'storage', { initial: index + 0.5 })),
          ...paths.map((path, index) =>
            tagOf(path, 'calculation', { expression: expression(index, (input) => `tag('${input}')`) }),
          ),
        ];
        await tags.definitions.import({ format: 'json', text: JSON.stringify(definitions) });
        const inputs = JSON.stringify(Array.from({ length: SIGNALS }, (_, index) => signal(index)));
        const values = paths.map((_, index) => expression(index, (input) => `values['${input}']`));
        const plain =
          `const values = {};\nfor (const tag of TagValueManager.Get(${inputs}).Value) values[tag.Path] = tag.Value;\n` +
          `return [\n${values.join(',\n')},\n];`;
        const get = async () => (await tags.get({ paths })).map(({ value }) => value);
        const [ours, theirs] = [await get(), await resultOf(workbench, plain)];
        if (JSON.stringify(ours) !== JSON.stringify(theirs)) throw new Error('the two do not compute the same');
        const rates = await compare(
          repeating(() => resultOf(workbench, plain)),
          repeating(get),
        );
        const detail = `${(1_000 / rates.peer).toFixed(1)} ms a Get, ${(1_000 / rates.ours).toFixed(1)} ms the script`;
        return { figure: rates.ratio, detail };
      }),
  },
  {
    area: 'nesting',
    name: 'a script that reads a script tag, against the same script that reads a stored one',
    unit: '×',
    goal: { atMost: 1.4 },
    run: () =>
      withWorkbench(async (workbench) => {
        const { tags, scripts } = workbench.services;
        await scripts.save({ group: 'Bench', name: 'Inner', description: '', body: 'return 1 + 1' });
        await tags.definitions.save(tagOf('Bench.Script.Inner.Value', 'script', { readScript: 'Bench/Inner' }));
        await tags.definitions.save(tagOf('Bench.Stored.Value', 'storage', { initial: 2 }));
        const reads = (path: string) => `return TagValueManager.Get(['${path}']).Value[0].Value`;
        const [nested, stored] = [reads('Bench.Script.Inner.Value'), reads('Bench.Stored.Value')];
        for (const body of [nested, stored]) {
          if ((await resultOf(workbench, body)) !== 2) throw new Error(`no 2 came of: ${body}`);
        }
        const rateOf = (body: string) => repeating(() => resultOf(workbench, body));
        const plain = await compare(rateOf(stored), rateOf(nested));
        const empty = await compare(rateOf('return 1 + 1'), rateOf(nested), { rounds: 3 });
        const rates = `${plain.peer.toFixed(0)} and ${plain.ours.toFixed(0)} runs/s, one at a time`;
        return { figure: plain.ratio, detail: `${rates}; ${empty.ratio.toFixed(2)} × a run that reads nothing` };
      }),
  },
  {
    area: 'nesting',
    name: '1,000 script tags with a script each in one Get',
    unit: 's',
    goal: { atMost: 0.5 },
    run: () =>
      withWorkbench(async (workbench) => {
        const { tags, scripts } = workbench.services;
        const tagged = Array.from({ length: 2 * FRESH_BODIES }, (_, index) => `Bench.Scripts.T${index}.Value`);
        for (const index of tagged.keys())
          await scripts.save({ group: 'Bench', name: `S${index}`, description: '', body: `return ${index} + 1` });
        const definitions = tagged.map((path, index) => tagOf(path, 'script', { readScript: `Bench/S${index}` }));
        await tags.definitions.import({ format: 'json', text: JSON.stringify(definitions) });
        const body = `return TagValueManager.Get(${JSON.stringify(tagged)}).Value.map(({ Value }) => Value);`;
        const expected = JSON.stringify(tagged.map((_, index) => index + 1));
        if (JSON.stringify(await resultOf(workbench, body)) !== expected) throw new Error('a tag was not read');
        const [one, other] = await Promise.all([1, 2].map(() => startPeer('fresh-bodies.ts')));
        if (one === undefined || other === undefined) throw new Error('the bare processes did not start');
        try {
          const bare: Side = async (ms) =>
            (await Promise.all([one.side(ms), other.side(ms)])).reduce((a, b) => a + b) / 2;
          const gets = repeating(() => resultOf(workbench, body));
          const { ours, peer } = await compare(gets, bare, { ms: 1_000 });
          const limit = `two bare processes with a fresh context for each body: ${(1 / peer).toFixed(2)} s`;
          return { figure: 1 / ours, detail: limit };
        } finally {
          one.close();
          other.close();
        }
      }),
  },
];
