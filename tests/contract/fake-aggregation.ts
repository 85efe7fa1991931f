import type { AggregationEvent } from '#domain/event/event';
import type { Webhook, WebhookDeliveryDetails } from '#domain/event/webhook';
import type { Rule, RuleState, RuleText } from '#domain/rule/rule';
import { TagwrightError } from '../../src-main/platform/errors.ts';
import type { Services } from '../../src-main/rpc/services.ts';

const AT = '2026-01-02T03:04:05.678+01:00';

/** A rule in its written form. */
export function ruleTextOf(name: string, more: Partial<RuleText> = {}): RuleText {
  return {
    name,
    description: '',
    enabled: true,
    triggersEvents: true,
    tags: ['Plant.Tag0.Value'],
    sampling: { kind: 'onChange' },
    window: { kind: 'tumbling', everyMs: 60_000 },
    outputs: [{ name: 'average', reducer: 'avg', tag: 'Plant.Tag0.Value' }],
    condition: '',
    ...more,
  };
}

const WEBHOOK: Webhook = {
  id: 1,
  name: 'Receiver',
  url: 'https://example.com/hook',
  enabled: true,
  ruleIds: [1],
  changes: ['created'],
  content: 'full',
  format: 'plain',
  savedAt: AT,
  seq: 3,
  pending: 1,
  problem: null,
  lastDeliveredAt: null,
  oldSecretUntil: AT,
};
const DELIVERY: WebhookDeliveryDetails = {
  id: 1,
  webhookId: 1,
  messageId: 'msg_1',
  type: 'event.created',
  eventId: 1,
  state: 'pending',
  at: AT,
  attempts: 1,
  nextAttemptAt: AT,
  lastAttemptAt: AT,
  status: null,
  ms: 1.5,
  error: 'Timeout: example.com did not respond',
  request: { headers: [['webhook-id', 'msg_1']], body: '{}' },
  response: null,
};
const { request: _request, response: _response, ...SUMMARY } = DELIVERY;
const SECRET = `whsec_${'A'.repeat(32)}`;

const stateOf = ({ id }: Rule): RuleState => ({ id, window: null, firings: 0, lastFiredAt: null, problem: null });

/** Rules, events and webhooks in memory. */
export function fakeAggregation(): Pick<Services, 'rules' | 'events' | 'webhooks'> {
  const rules = new Map<number, Rule>();
  const deleted = new Map<number, Rule>();
  const events = new Map<number, AggregationEvent>();
  const get = (key: { id: number } | { name: string }): Rule => {
    const found = [...rules.values()].find((rule) => ('id' in key ? rule.id === key.id : rule.name === key.name));
    if (found) return found;
    throw new TagwrightError('NOT_FOUND', 'No rule has that name.');
  };
  const event = (id: number): AggregationEvent => {
    const found = events.get(id);
    if (found) return found;
    throw new TagwrightError('NOT_FOUND', `There is no event ${id}.`);
  };
  const counts = () => {
    const active = [...events.values()].filter(({ Active }) => Active).length;
    return { active, disabled: events.size - active };
  };
  const fire = (rule: Rule, times: number) => {
    const firstEvent = rule.triggersEvents ? events.size + 1 : null;
    for (let n = 0; rule.triggersEvents && n < times; n += 1) {
      const AggregationEventId = events.size + 1;
      events.set(AggregationEventId, {
        AggregationEventId,
        RuleId: rule.id,
        EventDateTime: AT,
        Active: true,
        ResultTableName: rule.resultTable,
        ResultTableRecordId: AggregationEventId,
      });
    }
    const lastEvent = rule.triggersEvents ? events.size : null;
    return { fired: times, firstRow: 1, lastRow: times, firstEvent, lastEvent, resultTable: rule.resultTable };
  };
  return {
    rules: {
      list: () => [...rules.values()],
      get,
      save: ({ id = rules.size + 1, baseSavedAt, outputs, ...text }) => {
        const current = rules.get(id)?.savedAt;
        if (baseSavedAt !== undefined && baseSavedAt !== current) {
          throw new TagwrightError('CONFLICT', 'The rule was saved in the meantime.', {
            data: { current: current ?? null },
          });
        }
        const columns = outputs.map((output) => ({ ...output, column: output.name, columnType: 'REAL' as const }));
        const saved: Rule = { ...text, id, outputs: columns, resultTable: `agg_${id}`, savedAt: AT };
        rules.set(id, saved);
        return saved;
      },
      delete: (key) => {
        const rule = get(key);
        rules.delete(rule.id);
        deleted.set(rule.id, rule);
        return {};
      },
      restore: ({ id }) => {
        const rule = deleted.get(id) ?? get({ id });
        rules.set(id, rule);
        return rule;
      },
      fire: ({ times = 1, ...key }) => fire(get(key), times),
      async *state() {
        yield [...rules.values()].map(stateOf);
      },
      onChange: () => () => {},
      rows: (key) => ({ table: get(key).resultTable, columns: [], rows: [], total: 0 }),
      preview: ({ tags }) => ({
        windows: [{ start: 0, end: 1_000, samples: 2, badSamples: 0, outputs: [1.5], outcome: 'fires', message: null }],
        samples: 2,
        unknownTags: tags,
        span: { from: 0, to: 1_000 },
        limit: null,
        earlier: 0,
        sources: tags.map((path) => ({ path, kind: 'db', basis: 'none', since: null, rule: null })),
        units: [''],
      }),
    },
    events: {
      list: () => ({ events: [...events.values()], counts: counts(), version: 1 }),
      window: ({ offset, limit }) => {
        const page = [...events.values()].slice(offset, offset + limit);
        return { events: page, total: events.size, counts: counts() };
      },
      async *bulk({ ids = [] }) {
        yield { done: ids.length, changed: 0, finished: true };
      },
      async *undo() {
        yield { done: 3, changed: 2, of: 3, finished: true };
      },
      get: ({ id }) => event(id),
      setActive: ({ id, active }) => {
        const changed = { ...event(id), Active: active };
        events.set(id, changed);
        return changed;
      },
      delete: ({ id }) => {
        events.delete(event(id).AggregationEventId);
        return {};
      },
      createTest: ({ count, ruleId = 1 }) => {
        const { fired, firstEvent, lastEvent } = fire(get({ id: ruleId }), count);
        return { ruleId, created: fired, firstEvent, lastEvent };
      },
      onChange: () => () => {},
    },
    webhooks: {
      list: () => ({ webhooks: [WEBHOOK] }),
      save: ({ id: _id, baseSavedAt: _base, secret = SECRET, ...text }) => ({
        webhook: { ...WEBHOOK, ...text },
        secret,
      }),
      delete: () => ({}),
      rotate: () => ({ webhook: WEBHOOK, secret: SECRET }),
      test: () => ({ ...DELIVERY, state: 'delivered', status: 204, response: { headers: [], body: null, bytes: 0 } }),
      log: () => ({ deliveries: [SUMMARY] }),
      delivery: () => DELIVERY,
      resend: () => DELIVERY,
      onChange: () => () => {},
    },
  };
}
