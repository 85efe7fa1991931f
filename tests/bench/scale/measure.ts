import { openWorkbench, type Workbench } from '../../../src-main/workbench.ts';
import { productRoot } from '../../../src-main/platform/files/paths.ts';
import { createLog } from '../../../src-main/platform/log.ts';
import { SEARCH_KINDS } from '#domain/search/found';
import { timesOf } from '../compare.ts';

/**
 * A process of its own for each size: `measure.ts fill KIND COUNT FOLDER HAD` adds to a workspace that has `HAD` of a kind,
 * `measure.ts measure KIND COUNT FOLDER` opens it and prints what its work costs as JSON, in ms and MB.
 */
const ROUNDS = 7;
/** Rows of one import. */
const ROWS = 50_000;
const AT_ONCE = 100;

const tagPath = (n: number) => `Plant.Area${n % 20}.Line${n % 50}.Machine${n}.Motor.Speed`;
const LINE = "const speed = TagValueManager.Get(['Line 1.Filler.Speed.Value']).Value[0].Value; // in bottles\n";
const bodyOf = (n: number) => `${LINE.repeat(20)}const script${n} = ${n};\n${LINE.repeat(20)}`;

type Figures = Record<string, number>;

interface Range {
  had: number;
  count: number;
}

/** Adds to a workspace until it has `count`, and measures what they cost. */
interface Kind {
  fill(workbench: Workbench, range: Range): Promise<void>;
  measure(workbench: Workbench, count: number): Promise<Figures>;
}

const each = async ({ had, count }: Range, work: (n: number) => Promise<unknown>): Promise<void> => {
  for (let from = had; from < count; from += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, n) => work(from + n)));
  }
};

async function importTags(
  { services }: Workbench,
  { had, count }: Range,
  pathOf: (n: number) => string,
): Promise<void> {
  for (let from = had; from < count; from += ROWS) {
    const rows = Array.from({ length: Math.min(ROWS, count - from) }, (_, n) => ({
      path: pathOf(from + n),
      kind: 'storage',
      type: 'Double',
      settings: { initial: 1 },
    }));
    const { refused } = await services.tagDefinitions.import({ format: 'json', text: JSON.stringify(rows) });
    if (refused.length > 0) throw new Error(refused[0]?.reason);
  }
}

/** The best of some rounds: the sizes are measured minutes apart, with other work on the machine in between. */
const bestOf = async (work: () => unknown) => Math.min(...(await timesOf(work, ROUNDS)));

async function found({ services }: Workbench, text: string): Promise<void> {
  const query = { text, regex: false, matchCase: false, wholeWord: false };
  const request = { query, kinds: [...SEARCH_KINDS], include: '', exclude: '', window: null, limit: 1_000 };
  for await (const part of services.search.find(request, new AbortController().signal)) void part;
}

const KINDS: Record<string, Kind> = {
  tags: {
    fill: (workbench, range) => importTags(workbench, range, tagPath),
    async measure(workbench, count) {
      const { tags, tagDefinitions: definitions } = workbench.services;
      const some = Array.from({ length: 1_000 }, (_, n) => tagPath(Math.floor((n * count) / 1_000)));
      let value = 0;
      return {
        page: await bestOf(() => definitions.list({ limit: 1_000, after: tagPath(Math.floor(count / 2)) })),
        search: await bestOf(() => definitions.list({ limit: 1_000, filter: `machine${count - 1} speed` })),
        completion: await bestOf(() => definitions.complete({ text: `machine${count - 1}` })),
        nearest: await bestOf(() => definitions.check({ paths: ['Plant.Area5.Line5.Machine5.Moter.Sped'] })),
        get: await bestOf(() => tags.get({ paths: some })),
        set: await bestOf(() => tags.set({ items: [{ tag: tagPath(count - 1), value: (value += 1) }] })),
      };
    },
  },
  scripts: {
    fill: ({ services }, range) =>
      each(range, (n) =>
        services.scripts.save({ group: `Group ${n % 50}`, name: `Script ${n}`, description: '', body: bodyOf(n) }),
      ),
    async measure(workbench, count) {
      const { scripts, runs } = workbench.services;
      const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
      let version = 0;
      const last = { group: `Group ${(count - 1) % 50}`, name: `Script ${count - 1}` };
      const { id, body } = scripts.get(last);
      return {
        list: await bestOf(() => scripts.list()),
        search: await bestOf(() => found(workbench, `script${count - 1}`)),
        read: await bestOf(() => scripts.get(last)),
        save: await bestOf(() => scripts.save({ id, ...last, description: `${(version += 1)}`, body })),
        run: await bestOf(() => runs.execute({ body: 'return 1', context, dryRun: false })),
      };
    },
  },
  rules: {
    async fill(workbench, range) {
      await importTags(workbench, range, (n) => `Plant.Signal${n}.Value`);
      await each(range, (n) =>
        workbench.services.rules.save({
          name: `Rule ${n}`,
          description: '',
          enabled: true,
          triggersEvents: true,
          tags: [`Plant.Signal${n}.Value`],
          sampling: { kind: 'onChange' },
          window: { kind: 'count', samples: 1 },
          outputs: [{ name: 'last', reducer: 'last', tag: `Plant.Signal${n}.Value` }],
          condition: '',
        }),
      );
    },
    async measure({ services }, count) {
      const { rules, tags, events } = services;
      // Rules may have fired for the first values already.
      await new Promise((wake) => setTimeout(wake, 1_000));
      let expected = (await events.window({ limit: 1, offset: 0, newestFirst: true })).total;
      let all = Promise.withResolvers<void>();
      let value = 1;
      const stop = events.onChange(({ counts }) => {
        if (counts.active >= expected) all.resolve();
      });
      const firing = await bestOf(async () => {
        expected += count;
        all = Promise.withResolvers();
        value += 1;
        const items = Array.from({ length: count }, (_, n) => ({ tag: `Plant.Signal${n}.Value`, value }));
        await tags.set({ items });
        await all.promise;
      });
      stop();
      return { list: await bestOf(() => rules.list()), firing };
    },
  },
};

const [job = '', name = '', size = '', directory = '', had = '0'] = process.argv.slice(2);
const kind = KINDS[name];
if (kind === undefined) throw new Error(`there is no kind "${name}"`);
const count = Number(size);
const began = performance.now();
const workbench = await openWorkbench({
  directory,
  root: productRoot(),
  createSample: false,
  oneShot: job === 'fill',
  eventsPort: 0,
  log: createLog({ level: 'error' }),
});
if (job === 'fill') await kind.fill(workbench, { had: Number(had), count });
else {
  const opening = performance.now() - began;
  const memory = process.memoryUsage.rss() / 1_048_576;
  process.stdout.write(`${JSON.stringify({ opening, memory, ...(await kind.measure(workbench, count)) })}\n`);
}
await workbench.close();
process.exit(0);
