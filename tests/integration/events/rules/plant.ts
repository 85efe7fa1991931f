import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { RuleOutput, RuleText } from '#domain/rule/rule';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import type { Settings } from '#domain/workspace/settings';
import { RuleService } from '../../../../src-main/events/rules/rule-service.ts';
import type { ConditionRunner } from '../../../../src-main/events/rules/conditions/condition.ts';
import { EventService } from '../../../../src-main/events/store/event-service.ts';
import { EventStore } from '../../../../src-main/events/store/event-store.ts';
import type { Clock } from '../../../../src-main/platform/clock.ts';
import { storageKind } from '../../../../src-main/plant/tags/kinds/storage.ts';
import { machineKind } from '../../../../src-main/plant/tags/kinds/machine.ts';
import { openStore } from '../../../support/services/open-store.ts';
import { tagsOver } from '../../../support/services/wired-tags.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

/** For tests without conditions. */
export const NO_CONDITIONS: ConditionRunner = {
  run: () => Promise.reject(new Error('this test asks no condition')),
};

export interface PlantOptions {
  directory?: string;
  conditions?: ConditionRunner;
  settings?: Partial<Settings>;
  clock?: Clock;
  /** Whether the rules are active. */
  start?: boolean;
}

/** Rules and events over a real workspace, with storage and machine tags. */
export function openPlant(options: PlantOptions = {}) {
  const directory = options.directory ?? join(temporaryFolder(), 'workspace');
  mkdirSync(directory, { recursive: true });
  const store = openStore(directory, options.clock && { clock: options.clock });
  const { tags, log, logged: faults } = tagsOver(store, { kinds: [storageKind(store), machineKind(store)] });
  const events = new EventStore(store);
  const settings = { get: () => ({ ...DEFAULT_SETTINGS, ...options.settings }) };
  const conditions = options.conditions ?? NO_CONDITIONS;
  const rules = new RuleService({ store, events, settings, tags, conditions, log });
  if (options.start !== false) rules.start();
  let open = true;
  const close = async (): Promise<void> => {
    if (!open) return;
    open = false;
    await rules.close();
    events.close();
    tags.close();
    store.close();
  };
  onTestFinished(close);
  const eventService = new EventService(events, rules);
  return { directory, store, tags, events, eventService, rules, faults, close };
}

export type Plant = ReturnType<typeof openPlant>;

export const SPEED = 'Plant.Line.Speed.Value';
export const RUNNING = 'Plant.Line.Running.Value';

/** The storage tags of the tests. */
export async function withTags({ tags }: Plant): Promise<void> {
  const tag = { kind: 'storage', description: '', unit: '', settings: {} } as const;
  await tags.definitions.save({ ...tag, path: SPEED, type: 'Double' });
  await tags.definitions.save({ ...tag, path: RUNNING, type: 'Boolean' });
}

export const output = (reducer: RuleOutput['reducer'], more: Partial<RuleOutput> = {}): RuleOutput => ({
  name: reducer,
  reducer,
  tag: SPEED,
  ...more,
});

export function ruleText(name: string, more: Partial<RuleText> = {}): RuleText {
  return {
    name,
    description: '',
    enabled: true,
    triggersEvents: true,
    tags: [SPEED],
    sampling: { kind: 'onChange' },
    window: { kind: 'count', samples: 3 },
    outputs: [output('sum'), output('count')],
    condition: '',
    ...more,
  };
}

/** Writes values one by one. */
export async function write({ tags }: Plant, ...values: number[]): Promise<void> {
  for (const value of values) await tags.set({ items: [{ tag: SPEED, value }] });
}

/** The rows of a rule, oldest first, each as an object of its columns. */
export function rowsOf({ rules }: Plant, name: string): Record<string, unknown>[] {
  const { columns, rows } = rules.rows({ name, limit: 10_000 });
  return rows
    .toReversed()
    .map((row) => Object.fromEntries(columns.map((column, place) => [column.name, row[place] ?? null])));
}
