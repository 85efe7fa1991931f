import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { AggregationEvent } from '#domain/event/event';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import { EventsApiService } from '../../../../src-main/events/api/events-api-service.ts';
import { EventStore } from '../../../../src-main/events/store/event-store.ts';
import { KeyCheck } from '../../../../src-main/platform/key-check.ts';
import { createLog } from '../../../../src-main/platform/log.ts';
import { openStore } from '../../../support/services/open-store.ts';
import { EventStreamClient, type StreamMessage } from '../../../support/hub/event-stream.ts';
import { seededRandom } from '../../../support/run/random.ts';
import { scaled } from '../../../support/run/scale.ts';

const CLIENTS = scaled(150, 1_000);
const FIRST = 2_500;
const ROUNDS = scaled(40, 120);

/** One consumer over all of its connections. */
class Consumer {
  readonly received: StreamMessage[] = [];
  connection: EventStreamClient | null = null;
  lastId = '';
  isConnecting = false;
  disconnects = 0;

  async connect(url: string): Promise<void> {
    if (this.isConnecting) return;
    this.isConnecting = true;
    // One that is refused or reset on a busy machine is tried again later, as by any client.
    this.connection = await EventStreamClient.open(url, this.lastId).catch(() => null);
    this.isConnecting = false;
  }

  /** Whether it has everything up to an id. As any client, it reconnects when it was refused or dropped. */
  async has(id: string, url: string): Promise<boolean> {
    if (this.connection?.isEnded) this.disconnect();
    if (!this.connection) await this.connect(url);
    return this.connection?.lastId === id;
  }

  /** Whatever had arrived by then counts as received. */
  disconnect(): void {
    if (!this.connection) return;
    this.connection.close();
    this.received.push(...this.connection.messages);
    this.lastId = this.connection.lastId;
    this.connection = null;
    this.disconnects += 1;
  }

  get all(): StreamMessage[] {
    return [...this.received, ...(this.connection?.messages ?? [])];
  }
}

test('many streams, disconnected at random, miss no change and get none twice', async () => {
  const store = openStore();
  onTestFinished(() => store.close());
  const events = new EventStore(store);
  onTestFinished(() => events.close());
  const fire = (count: number) =>
    store.commits.run(() => {
      for (let n = 0; n < count; n += 1) {
        events.insert({ ruleId: 1, eventDateTime: 'now', at: 1, resultTableName: 't', resultTableRecordId: 1 });
      }
    });
  await fire(FIRST);
  const service = new EventsApiService({
    source: events,
    settings: { get: () => DEFAULT_SETTINGS, onChange: () => () => {} },
    apiKey: new KeyCheck(),
    version: '1.0.0',
    clock: store.clock,
    log: createLog({ write: () => {} }),
    port: 0,
  });
  onTestFinished(() => service.close());
  await service.start();
  const url = `${service.status().url}/api/events`;

  const consumers = Array.from({ length: CLIENTS }, () => new Consumer());
  onTestFinished(() => {
    for (const { connection } of consumers) connection?.close();
  });
  // While events change, so that lists are interrupted and continued.
  const connecting = Promise.all(consumers.map((one) => one.connect(url)));
  const draw = seededRandom();
  const oneOf = (count: number) => Math.floor(draw() * count);
  for (let round = 0; round < ROUNDS; round += 1) {
    const last = events.page({ limit: 1 })[0]?.AggregationEventId ?? 1;
    await Promise.all([
      fire(1 + oneOf(5)),
      ...Array.from({ length: 10 }, () => events.setActive(1 + oneOf(last), draw() < 0.5)),
      ...Array.from({ length: 3 }, () => events.delete(1 + oneOf(last))),
    ]);
    for (const one of consumers) if (one.connection && draw() < 0.03) one.disconnect();
    await Promise.all(
      consumers.map(async (one) => one.connection ?? (round > 2 && draw() < 0.5 && (await one.connect(url)))),
    );
    await pause(5);
  }
  await connecting;
  const end = String(events.version());
  for (const one of consumers) await expect.poll(() => one.has(end, url)).toBe(true);
  const active = new Map<number, string>();
  for await (const chunk of events.list({
    active: true,
    ruleId: null,
    from: null,
    to: null,
    after: null,
    limit: null,
  })) {
    const some: AggregationEvent[] = JSON.parse(`[${Buffer.from(chunk.text).toString()}]`);
    for (const event of some) active.set(event.AggregationEventId, JSON.stringify(event));
  }
  const expected = inOrder(active);
  const parsed = new ParsedEvents();
  for (const { all } of consumers) {
    expect(new Set(all.map(({ id, event, data }) => `${id} ${event} ${parsed.of(data).id}`)).size).toBe(all.length);
    const state = new Map<number, ParsedEvent>();
    let twice = 0;
    for (const { event, data } of all) {
      const changed = parsed.of(data);
      const known = state.get(changed.id);
      if (event === 'created' && known) twice += 1;
      if (event === 'disabled' && known?.isActive === false) twice += 1;
      if (event === 'reactivated' && known?.isActive === true) twice += 1;
      if (event === 'deleted') state.delete(changed.id);
      else state.set(changed.id, changed);
    }
    expect(twice).toBe(0);
    const actual = [...state.values()].filter(({ isActive }) => isActive).map(({ id, text }) => [id, text] as const);
    expect(inOrder(actual)).toBe(expected);
  }
  expect(consumers.reduce((sum, { disconnects }) => sum + disconnects, 0)).toBeGreaterThan(CLIENTS / 2);
});

interface ParsedEvent {
  id: number;
  isActive: boolean;
  text: string;
}

/** Many consumers receive the same texts: each is parsed once. */
class ParsedEvents {
  readonly #known = new Map<string, ParsedEvent>();

  of(data: string): ParsedEvent {
    const known = this.#known.get(data);
    if (known !== undefined) return known;
    const event: AggregationEvent = JSON.parse(data);
    const parsed = { id: event.AggregationEventId, isActive: event.Active, text: JSON.stringify(event) };
    this.#known.set(data, parsed);
    return parsed;
  }
}

/** Texts of events, in the order of their ids. */
const inOrder = (texts: Iterable<readonly [number, string]>): string =>
  [...texts]
    .toSorted(([a], [b]) => a - b)
    .map(([, text]) => text)
    .join('\n');
