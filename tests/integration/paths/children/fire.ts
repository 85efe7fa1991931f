import { setTimeout as pause } from 'node:timers/promises';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import { RuleService, type RuleServiceParts } from '../../../../src-main/events/rules/rule-service.ts';
import { EventStore } from '../../../../src-main/events/store/event-store.ts';
import { openWorkspaceStore } from '../../../../src-main/storage/workspace/workspace-store.ts';
import { tagsOver } from '../../../support/services/wired-tags.ts';
import { PassedFiles } from '../passed-files.ts';

// Fires a rule with each change of a tag, and prints the files of main whose functions ran from the notification of the
// change to the COMMIT of the row and the event, each time.
const [directory = '', condition = ''] = process.argv.slice(2);
const ROUNDS = 3;
/** Samples are stored within this time, ms: a commit of theirs is none of the firing. */
const QUIET_MS = 300;
const path = 'Plant.Line.Tag.Value';

const store = openWorkspaceStore(directory);
const { tags, log } = tagsOver(store);
const events = new EventStore(store);
let notify: (paths: readonly string[]) => void = () => {};
const source: RuleServiceParts['tags'] = {
  live: tags.live,
  pastOf: (one) => tags.pastOf(one),
  definitions: tags.definitions,
  onValues(listener) {
    notify = listener;
    return () => {};
  },
};
const rules = new RuleService({
  store,
  events,
  settings: { get: () => DEFAULT_SETTINGS },
  tags: source,
  conditions: { run: async () => ({ status: 'ok', result: [true], error: null }) },
  log,
});
await tags.definitions.save({ path, kind: 'storage', type: 'Int', description: '', unit: '', settings: {} });
await tags.set({ items: [{ tag: path, value: 0 }] });
rules.start();
const { id } = await rules.save({
  name: 'Each change',
  description: '',
  enabled: true,
  triggersEvents: true,
  tags: [path],
  sampling: { kind: 'onChange' },
  window: { kind: 'count', samples: 1 },
  outputs: [{ name: 'last', tag: path, reducer: 'last' }],
  condition,
});

let commit = (): void => {};
const statements: { run: (this: { source: string }, ...values: unknown[]) => unknown } = Object.getPrototypeOf(
  store.database.prepare('SELECT 1'),
);
const { run } = statements;
statements.run = function (...values) {
  const result = run.apply(this, values);
  if (this.source === 'COMMIT') commit();
  return result;
};

// The value that a tag has when its rule starts is a sample too.
await pause(QUIET_MS);
const before = rules.rows({ id }).total;
const passed = new PassedFiles();
let files: string[] | null = null;
for (let round = 1; round <= ROUNDS; round += 1) {
  await tags.set({ items: [{ tag: path, value: round }] });
  await pause(QUIET_MS);
  await new Promise<void>((committed) => {
    commit = () => {
      const some = new Set(passed.take());
      files = (files ?? [...some]).filter((file) => some.has(file));
      commit = () => {};
      committed();
    };
    passed.take();
    notify([path]);
  });
}
await pause(QUIET_MS);
const rows = rules.rows({ id }).total - before;
await rules.close();
events.close();
tags.close();
store.close();
console.log(JSON.stringify({ rows, rounds: ROUNDS, files }));
