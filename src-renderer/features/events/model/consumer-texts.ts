import type { Consumer } from '#domain/event/consumer';
import { moment } from '../../../support/moment.ts';

/** How often it polls: `every 2 s`, or that it follows a stream. */
export function intervalText({ intervalMs, streams }: Pick<Consumer, 'intervalMs' | 'streams'>): string {
  if (streams > 0) return 'stream';
  if (intervalMs === null) return '';
  return intervalMs < 10_000 ? `${(intervalMs / 1_000).toFixed(1)} s` : `${Math.round(intervalMs / 1_000)} s`;
}

const number = (value: number): string => value.toLocaleString('en');
const time = (at: string): string => moment(new Date(at));

/** The fields of a consumer, as names and texts. */
export function consumerFields(consumer: Consumer): readonly (readonly [name: string, text: string])[] {
  const { unacknowledged: open, lastError, lastReadOnlyAttempt: attempt } = consumer;
  return [
    ['Program', consumer.program || 'not named'],
    ['Address', consumer.address],
    ['First request', time(consumer.firstAt)],
    ['Last request', time(consumer.lastAt)],
    ['Requests', number(consumer.requests)],
    ['Polls', number(consumer.polls)],
    ['Interval', intervalText(consumer) || 'unknown'],
    ['Acknowledged', number(consumer.acknowledged)],
    ['Not acknowledged', openText(open)],
    ['Errors', number(consumer.errors)],
    ...(lastError
      ? [
          [
            'Last error',
            `${time(lastError.at)} ${lastError.status === 0 ? 'disconnected' : lastError.status} ${lastError.method} ${lastError.path}`,
          ] as const,
        ]
      : []),
    [
      'Read-only changes',
      attempt === null
        ? 'none'
        : `${number(consumer.readOnlyAttempts)}, last ${attempt.fields.join(', ')} of event ${attempt.eventId}, ignored`,
    ],
  ];
}

function openText(open: Consumer['unacknowledged']): string {
  if (open === null) return 'unknown';
  if (open.count === 0) return 'none';
  return `${number(open.count)} since ${time(open.sentAt)}, from event ${open.oldestId}`;
}
