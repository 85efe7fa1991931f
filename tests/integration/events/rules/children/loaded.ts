import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { compileFunction } from 'node:vm';
import type { Json } from '#domain/text/json';
import type { RuleText } from '#domain/rule/rule';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import type { ConditionRunner } from '../../../../../src-main/events/rules/conditions/condition.ts';
import { RuleService } from '../../../../../src-main/events/rules/rule-service.ts';
import { EventStore } from '../../../../../src-main/events/store/event-store.ts';
import { openWorkspaceStore } from '../../../../../src-main/storage/workspace/workspace-store.ts';
import { machineKind } from '../../../../../src-main/plant/tags/kinds/machine.ts';
import { storageKind } from '../../../../../src-main/plant/tags/kinds/storage.ts';
import { tagsOver } from '../../../../support/services/wired-tags.ts';

// Active rules under load, until killed: increasing numbers are written to a tag, each when the previous is confirmed.
const [directory = ''] = process.argv.slice(2);
const NUMBER = 'Plant.Line.Number.Value';
const SIGNAL = 'Plant.Line.Signal.Value';

/** Verdicts are delayed, so that a kill happens while windows wait for one. */
const conditions: ConditionRunner = {
  async run({ body, context }) {
    const returned: unknown = compileFunction(body, ['tagValue'])(context.tagValue);
    await pause(20);
    const result: Json = JSON.parse(JSON.stringify(returned));
    return { status: 'ok', result, error: null };
  },
};

const log = (where: string, fault: unknown): void => void writeSync(2, `${where}: ${String(fault)}\n`);
const store = openWorkspaceStore(directory);
const { tags } = tagsOver(store, { log, kinds: [storageKind(store), machineKind(store)] });
const events = new EventStore(store);
const rules = new RuleService({ store, events, settings: { get: () => DEFAULT_SETTINGS }, tags, conditions, log });

const rule = (name: string, more: Partial<RuleText>): RuleText => ({
  name,
  description: '',
  enabled: true,
  triggersEvents: true,
  tags: [NUMBER],
  sampling: { kind: 'onChange' },
  window: { kind: 'count', samples: 4 },
  outputs: (['first', 'last', 'count'] as const).map((reducer) => ({ name: reducer, reducer, tag: NUMBER })),
  condition: '',
  ...more,
});

if (rules.list().length === 0) {
  const tag = { description: '', unit: '' };
  await tags.definitions.save({ ...tag, path: NUMBER, kind: 'storage', type: 'Int', settings: { initial: 0 } });
  const signal = { kind: 'counter', start: 0, increment: 1, everyMs: 10 };
  await tags.definitions.save({
    ...tag,
    path: SIGNAL,
    kind: 'machine',
    type: 'Int',
    settings: { signal, updateMs: 10 },
  });
  const ofSignal = (['first', 'last', 'count'] as const).map((reducer) => ({ name: reducer, reducer, tag: SIGNAL }));
  const clock = { tags: [SIGNAL], outputs: ofSignal, window: { kind: 'tumbling', everyMs: 100 } } as const;
  await rules.save(rule('Counted', {}));
  await rules.save(rule('Counted without events', { triggersEvents: false, window: { kind: 'count', samples: 3 } }));
  await rules.save(rule('Counted, asked', { condition: 'count > 0', window: { kind: 'count', samples: 7 } }));
  await rules.save(rule('Clock', { ...clock, tags: [SIGNAL] }));
  await rules.save(rule('Clock, asked', { ...clock, tags: [SIGNAL], condition: 'last >= first' }));
  await rules.save(rule('By hand', { window: { kind: 'manual' } }));
}
rules.start();
writeSync(1, 'ready\n');

async function fireByHand(): Promise<void> {
  for (;;) {
    await rules.fire({ name: 'By hand', times: 3 });
    await pause(5);
  }
}

const [before] = await tags.get({ paths: [NUMBER] });
void fireByHand();
for (let number = Number(before?.value ?? 0) + 1; ; number += 1) {
  await tags.set({ items: [{ tag: NUMBER, value: number }] });
}
