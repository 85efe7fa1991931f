import type { Services } from '../../../src-main/rpc/services.ts';

/** The mirror of a site that is connected. */
export function fakeHub(): Services['hub'] {
  return {
    status: () => ({
      state: 'connected',
      site: 'leeds',
      url: 'postgres://leeds@hub.example/tagwright',
      seq: 12,
      listed: null,
      waiting: 0,
      mirroredAt: '2026-01-02T03:04:05.678Z',
      applied: 3,
      problem: null,
    }),
    rejoin: () => ({}),
  };
}
