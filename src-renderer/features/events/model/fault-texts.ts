import type { FaultKind } from '#domain/event/consumer';

/** The names of faults, with what the consumer gets. */
export const FAULT_TEXTS: Readonly<Record<FaultKind, { name: string; explanation: string }>> = {
  latency: { name: 'Latency', explanation: 'The response comes later.' },
  jitter: { name: 'Jitter', explanation: 'The response comes later, by a random time up to the latency.' },
  '429': { name: 'Status 429', explanation: 'Too many requests, with Retry-After: 1.' },
  '500': { name: 'Status 500', explanation: 'Internal error, without Retry-After.' },
  '503': { name: 'Status 503', explanation: 'Not available, with Retry-After: 2.' },
  cut: { name: 'Cut connection', explanation: 'The connection ends after half of a list or stream.' },
  duplicates: { name: 'Duplicates', explanation: 'Some events of a list come twice.' },
  reordering: { name: 'Reordering', explanation: 'The events of a list come in a random order.' },
  restart: {
    name: 'Restart',
    explanation: 'A further page gets no response; earlier ETags are unknown.',
  },
  slow: { name: 'Slow bytes', explanation: 'The first 400 bytes come in small pieces.' },
  key: { name: 'Expired key', explanation: '401, as for a wrong API key.' },
};
