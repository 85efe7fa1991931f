import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TagDefinition } from '#domain/tag/tag';
import type { Why } from '#domain/run/why';
import type { InstanceClient } from '../../../../src-main/host/instance-client.ts';
import { builtProduct } from '../../../support/product/product.ts';
import { type ServedInstance, startInstance } from '../../../support/product/served-instance.ts';

const STORED = 'Plant.Oven.Target.Value';
const SIGNAL = 'Plant.Oven.Zone.Temperature';
const HALF = 'Plant.Oven.Half.Value';
const QUARTER = 'Plant.Oven.Quarter.Value';
const RUNNING = 'Plant.Oven.Batch.Running';

describe('the sources of values and windows', () => {
  let instance: ServedInstance;
  let client: InstanceClient;
  beforeAll(builtProduct, 180_000);
  beforeAll(async () => {
    instance = await startInstance();
    client = await instance.client();
    const base = { description: '', unit: '', settings: {} };
    const signal = { kind: 'constant', value: 20 };
    const tags: TagDefinition[] = [
      { ...base, path: STORED, kind: 'storage', type: 'Double', settings: { initial: 1 } },
      { ...base, path: RUNNING, kind: 'storage', type: 'Boolean' },
      { ...base, path: SIGNAL, kind: 'machine', type: 'Double', settings: { signal } },
      { ...base, path: HALF, kind: 'calculation', type: 'Double', settings: { expression: `tag('${STORED}') / 2` } },
      { ...base, path: QUARTER, kind: 'calculation', type: 'Double', settings: { expression: `tag('${HALF}') / 2` } },
    ];
    for (const tag of tags) await client.tags.save(tag);
  });
  afterAll(async () => void (await instance.close()));

  const why = (thing: Parameters<InstanceClient['journal']['why']>[0]['thing']): Promise<Why> =>
    client.journal.why({ thing });
  const ofTag = (path: string) => why({ kind: 'tag', path });
  const set = (tag: string, value: number | boolean) => client.tags.set({ items: [{ tag, value }] });
  const actions = ({ causes }: Why) => causes.map(({ action }) => action);
  const expectLatestFirst = ({ causes }: Why) => {
    const times = causes.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
  };

  test('without a recorded value, it says where the value comes from', async () => {
    expect(await ofTag(STORED)).toMatchObject({ problem: expect.stringContaining('has its initial value') });
    expect(await ofTag(SIGNAL)).toMatchObject({ problem: expect.stringContaining('follows the signal') });
    const db = (await client.tags.list({ filter: 'Bottling', limit: 1_000 })).tags.find(({ kind }) => kind === 'db');
    expect(await ofTag(db?.path ?? '')).toMatchObject({ problem: expect.stringContaining('read from plant.db') });
    await set(SIGNAL, 5);
    expect(await ofTag(SIGNAL)).toMatchObject({ problem: null, causes: [{ after: 5 }] });
  });

  test('a calculated value leads to the changes of its inputs, directly or not', async () => {
    await set(STORED, 8);
    const half = await ofTag(HALF);
    expect(actions(half)).toEqual([`wrote ${STORED}`, `created ${HALF}`]);
    expect(half).toMatchObject({
      problem: `Its value is calculated from ${STORED}.`,
      causes: [{ after: 8, depth: 1 }, {}],
    });
    const quarter = await ofTag(QUARTER);
    expect(quarter.causes[0]).toMatchObject({ action: `wrote ${STORED}`, after: 8 });
    expectLatestFirst(quarter);
  });

  test('a window leads to the tag that opened and closed it, and back', async () => {
    const { id } = await client.rules.save({
      name: 'Batch',
      description: '',
      enabled: true,
      triggersEvents: true,
      tags: [HALF],
      sampling: { kind: 'onChange' },
      window: { kind: 'while', tag: RUNNING },
      outputs: [{ name: 'last', reducer: 'last', tag: HALF }],
      condition: '',
    });
    const open = async () => {
      for await (const states of await client.rules.state()) return states.find((state) => state.id === id)?.window;
      return null;
    };
    // The rule notices each change by itself.
    await set(RUNNING, true);
    await expect.poll(open).toMatchObject({ start: expect.any(Number) });
    await set(STORED, 50);
    await expect.poll(open).toMatchObject({ outputs: [25] });
    await set(RUNNING, false);
    const firing = async () => (await why({ kind: 'rule', id })).causes.find(({ kind }) => kind === 'firing')?.event;
    await expect.poll(firing).toBeDefined();
    const fired = await firing();
    const event = await why({ kind: 'event', id: fired ?? 0 });
    expectLatestFirst(event);
    const closed = event.causes.find(({ tag }) => tag === RUNNING);
    expect(closed).toMatchObject({ depth: 1, after: false });
    // Of the tag from which the sampled one is calculated.
    expect(event.causes.find(({ tag }) => tag === STORED)).toMatchObject({ depth: 1 });
    expect((await ofTag(RUNNING)).effects[0]).toMatchObject({ kind: 'firing' });
  });

  test('a change of an event names the client and its program', async () => {
    const { firstEvent } = await client.rules.fire({ name: 'Fill volume check' });
    await fetch(`${instance.eventsApi}/api/events/${firstEvent}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'user-agent': 'shift-book/2.4' },
      body: '{"Active": false}',
    });
    const { causes } = await why({ kind: 'event', id: firstEvent ?? 0 });
    expect(causes[0]).toMatchObject({
      action: `disabled event ${firstEvent}`,
      actor: expect.stringMatching(/^PUT from shift-book\/2\.4 \(127\.0\.0\.1:\d+\)$/),
    });
  });
});
