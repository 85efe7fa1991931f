import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { localTimeText } from '#domain/text/local-time';
import type { RuleText } from '#domain/rule/rule';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import type { TagValue } from '#domain/tag/tag';
import type { TagSource } from '../../../src-main/events/rules/sampling/sampler.ts';
import { RuleService } from '../../../src-main/events/rules/rule-service.ts';
import { EventStore } from '../../../src-main/events/store/event-store.ts';
import { openDatabase } from '../../../src-main/storage/database.ts';
import type { WorkspaceStore } from '../../../src-main/storage/workspace/workspace-store.ts';
import { openWorkspaceStore } from '../../../src-main/storage/workspace/workspace-store.ts';
import { machineKind } from '../../../src-main/plant/tags/kinds/machine.ts';
import { TagService } from '../../../src-main/plant/tags/tag-service.ts';
import type { Bench } from '../bench.ts';
import { compare, repeating } from '../compare.ts';

/** Rules whose windows close at the same time. */
const RULES = 100;
const TAGS_OF_RULE = 10;

type RuleTags = ConstructorParameters<typeof RuleService>[0]['tags'];

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tagwright-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function rulesOver(store: WorkspaceStore, tags: RuleTags) {
  const events = new EventStore(store);
  const log = (where: string, fault: unknown): void => console.error(where, fault);
  const conditions = { run: () => Promise.reject(new Error('no condition is evaluated')) };
  const rules = new RuleService({ store, events, settings: { get: () => DEFAULT_SETTINGS }, tags, conditions, log });
  return { rules, events };
}

function ruleOf(name: string, tags: string[], more: Partial<RuleText>): RuleText {
  const outputs = (['avg', 'max', 'last'] as const).map((reducer) => ({ name: reducer, reducer, tag: tags[0] ?? '' }));
  return {
    name,
    description: '',
    enabled: true,
    triggersEvents: true,
    tags,
    sampling: { kind: 'onChange' },
    window: { kind: 'count', samples: 1 },
    outputs,
    condition: '',
    ...more,
  };
}

/** Tags that all change on request. */
function pulsedTags(): RuleTags & TagSource & { pulse(): void } {
  let value = 0;
  const listeners = new Set<(paths: readonly string[]) => void>();
  const paths = Array.from({ length: RULES }, (_, n) => `Plant.Tag${n}.Value`);
  return {
    live: {
      get: ({ paths: wanted }) => wanted.map((path): TagValue => ({ path, value, quality: 'Good', type: 'Double' })),
      changesAt: () => Infinity,
      isImmediate: () => true,
    },
    pastOf: () => null,
    definitions: {
      definition: ({ path }) => ({ path, kind: 'storage', type: 'Double', description: '', unit: '', settings: {} }),
      onChange: () => () => {},
    },
    onValues(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    pulse() {
      value += 1;
      for (const listener of listeners) listener(paths);
    },
  };
}

export const benches: Bench[] = [
  {
    area: 'aggregation',
    name: `firing ${RULES} rules at once, a row and an event each, against one FULL transaction per firing`,
    unit: '×',
    goal: { atLeast: 5 },
    run: () =>
      inFolder(async (folder) => {
        const store = openWorkspaceStore(join(folder, 'ours'));
        const tags = pulsedTags();
        const { rules, events } = rulesOver(store, tags);
        for (let n = 0; n < RULES; n += 1) await rules.save(ruleOf(`Rule ${n}`, [`Plant.Tag${n}.Value`], {}));
        rules.start();
        await pause(100);
        const fired = () => newestOf(events);

        const peer = openDatabase(join(folder, 'peer.db'));
        peer.exec(
          'CREATE TABLE rows (id INTEGER PRIMARY KEY AUTOINCREMENT, fired_at TEXT, a REAL, b REAL, c REAL) STRICT',
        );
        const row = peer.prepare('INSERT INTO rows (fired_at, a, b, c) VALUES (?, ?, ?, ?)');
        const event = peer.prepare(
          'INSERT INTO events (rule_id, event_date_time, at_ms, result_table_name, result_table_record_id) VALUES (1, ?, ?, ?, ?)',
        );
        const single = peer.transaction(() => {
          const at = Date.now();
          const text = localTimeText(at);
          event.run(text, at, 'rows', row.run(text, 1, 2, 3).lastInsertRowid);
        });
        const result = await compare(
          async (ms) => {
            const before = fired();
            const start = performance.now();
            while (performance.now() - start < ms) {
              const goal = fired() + RULES;
              tags.pulse();
              while (fired() < goal) await nextCommit(store);
            }
            return ((fired() - before) * 1_000) / (performance.now() - start);
          },
          repeating(
            () =>
              new Promise<void>(
                (done) =>
                  void setImmediate(() => {
                    single.immediate();
                    done();
                  }),
              ),
          ),
        );
        await rules.close();
        events.close();
        store.close();
        peer.close();
        const detail = `${Math.round(result.ours)} firings/s, samples and windows stored too; ${Math.round(result.peer)} one by one`;
        return { figure: result.ratio, detail };
      }),
  },
  {
    area: 'aggregation',
    name: `${RULES} rules on ${RULES * TAGS_OF_RULE} tags that change 10 times a second: CPU time per second`,
    unit: 'ms',
    goal: { atMost: 500 },
    run: () =>
      inFolder(async (folder) => {
        const store = openWorkspaceStore(folder);
        const log = (where: string, fault: unknown): void => console.error(where, fault);
        const tags = new TagService({ ...store, log, kinds: [machineKind(store)] });
        const signal = { kind: 'randomWalk', min: 0, max: 100, step: 1 };
        const paths = Array.from({ length: RULES * TAGS_OF_RULE }, (_, n) => `Plant.Tag${n}.Value`);
        const definitions = paths.map((path) => ({
          path,
          kind: 'machine',
          type: 'Double',
          settings: { signal, updateMs: 100 },
        }));
        const { refused } = await tags.definitions.import({ format: 'json', text: JSON.stringify(definitions) });
        if (refused.length > 0) throw new Error(JSON.stringify(refused[0]));
        const { rules, events } = rulesOver(store, tags);
        for (let n = 0; n < RULES; n += 1) {
          const own = paths.slice(n * TAGS_OF_RULE, (n + 1) * TAGS_OF_RULE);
          const outputs = own.map(
            (tag, place) => ({ name: `average_${place}`, reducer: 'timeWeightedAvg', tag }) as const,
          );
          await rules.save(ruleOf(`Rule ${n}`, own, { outputs, window: { kind: 'tumbling', everyMs: 1_000 } }));
        }
        rules.start();
        await pause(2_000);
        const [cpu, start, before] = [process.cpuUsage(), performance.now(), newestOf(events)];
        await pause(10_000);
        const used = process.cpuUsage(cpu);
        const seconds = (performance.now() - start) / 1_000;
        const fired = newestOf(events) - before;
        const samples = Array.from({ length: RULES }, (_, n) => store.windows.count(n + 1)).reduce((a, b) => a + b, 0);
        await rules.close();
        events.close();
        tags.close();
        store.close();
        return {
          figure: (used.user + used.system) / 1_000 / seconds,
          detail: `${Math.round(fired / seconds)} firings/s, ${samples} samples stored in ${Math.round(seconds + 2)} s`,
        };
      }),
  },
];

/** The id of the newest event. Nothing is deleted here, so it is also the number of events. */
const nextCommit = ({ commits }: WorkspaceStore): Promise<void> =>
  new Promise((resolve) => {
    const unsubscribe = commits.onCommit(() => {
      unsubscribe();
      resolve();
    });
  });

const newestOf = (events: EventStore): number => events.page({ limit: 1 })[0]?.AggregationEventId ?? 0;
