import { onTestFinished } from 'vitest';
import type { Webhook, WebhookText } from '#domain/event/webhook';
import { NEW_WEBHOOK } from '#domain/event/webhook';
import { DEFAULT_SETTINGS, type Settings } from '#domain/workspace/settings';
import { EventStore } from '../../../../src-main/events/store/event-store.ts';
import { WebhookService } from '../../../../src-main/events/webhooks/webhook-service.ts';
import { openOutbound } from '../../../../src-main/outbound/outbound.ts';
import { sealerOf } from '../../../../src-main/outbound/secrets/sealer.ts';
import type { WorkspaceStore } from '../../../../src-main/storage/workspace/workspace-store.ts';
import { openStore } from '../../../support/services/open-store.ts';

export const TABLE = 'agg_1_level';

export interface WiredWebhooks {
  store: WorkspaceStore;
  events: EventStore;
  webhooks: WebhookService;
  settings: Settings;
  faults: string[];
  /** Fires as many data rows with events, in one transaction; returns the ids of the events. */
  fire: (count?: number, ruleId?: number) => Promise<number[]>;
  add: (url: string, text?: Partial<WebhookText>) => Promise<{ webhook: Webhook; secret: string }>;
  close: () => Promise<void>;
}

/** The webhooks of a workspace with real outbound connections. */
export function wiredWebhooks(
  directory: string,
  { settings: changes = {}, delays }: { settings?: Partial<Settings>; delays?: readonly number[] } = {},
): WiredWebhooks {
  const store = openStore(directory);
  const settings: Settings = { ...DEFAULT_SETTINGS, ...changes };
  const faults: string[] = [];
  const parts = {
    settings: { get: () => settings, onChange: () => () => undefined },
    sealer: sealerOf(store.directory),
    fault: (where: string, thrown: unknown) => void faults.push(`${where}: ${String(thrown)}`),
  };
  const outbound = openOutbound({ ...store, ...parts });
  const events = new EventStore(store);
  const webhooks = new WebhookService({
    ...store,
    ...parts,
    events,
    push: (message, ms, signal) => outbound.api.push(message, ms, signal),
    version: '1.0.0',
    delays,
  });
  const insert = (ruleId: number): number => {
    const at = store.clock.now();
    const eventDateTime = store.clock.iso().replace('Z', '+00:00');
    const row = {
      firedAt: eventDateTime,
      firedBy: 'hand',
      windowStart: eventDateTime,
      windowEnd: eventDateTime,
    } as const;
    const id = store.results.insert(TABLE, ['mean'], { ...row, samples: 1, badSamples: 0, values: [1.5] });
    return events.insert({ ruleId, eventDateTime, at, resultTableName: TABLE, resultTableRecordId: id })
      .AggregationEventId;
  };
  return {
    store,
    events,
    webhooks,
    settings,
    faults,
    fire: (count = 1, ruleId = 1) =>
      store.commits.run(() => {
        store.results.ensure(TABLE, [{ name: 'mean', type: 'REAL' }]);
        return Array.from({ length: count }, () => insert(ruleId));
      }),
    async add(url, text = {}) {
      const { webhook, secret } = await webhooks.save({ ...NEW_WEBHOOK, name: 'Receiver', url, ...text });
      if (secret === null) throw new Error('a new webhook has a secret');
      return { webhook, secret };
    },
    async close() {
      await webhooks.close();
      await outbound.close();
      events.close();
      store.close();
    },
  };
}

/** The same, closed with the test. */
export function testWebhooks(...given: Parameters<typeof wiredWebhooks>): WiredWebhooks {
  const wired = wiredWebhooks(...given);
  onTestFinished(() => wired.close());
  return wired;
}
