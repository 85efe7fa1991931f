import { expect, test } from 'vitest';
import type { HubStatus } from '#domain/event/hub';
import { mirrorFinding } from '../../../../src-main/workspace/diagnostics/hub-check.ts';

const AT = Date.parse('2026-01-31T06:00:00Z');
const CURRENT: HubStatus = {
  state: 'connected',
  site: 'leeds',
  url: 'postgres://hub/x',
  seq: 7,
  listed: null,
  waiting: 0,
  mirroredAt: '2026-01-31T05:50:00.000Z',
  applied: 0,
  problem: null,
};

test.each<[Partial<HubStatus>, string, string]>([
  [{ state: 'off', mirroredAt: null }, 'ok', 'no hub is set'],
  [{ state: 'off', problem: 'hub.url cannot be opened' }, 'warning', 'hub.url cannot be opened'],
  [{}, 'ok', 'site "leeds" is connected and has everything'],
  [{ listed: 1_200 }, 'ok', 'site "leeds" is connected and copies its first list, events up to 1,200'],
  [
    { waiting: 3, mirroredAt: '2026-01-31T05:59:58.000Z' },
    'ok',
    'site "leeds" is connected and had everything 2 s ago, 3 changes behind',
  ],
  [{ waiting: 3 }, 'warning', 'site "leeds" is connected and had everything'],
  [
    { state: 'waiting', waiting: 1, problem: 'connect ECONNREFUSED' },
    'warning',
    'the hub is not connected; it had everything 600 s ago, 1 change behind: connect ECONNREFUSED',
  ],
  [{ state: 'stopped', problem: 'run "tagwright hub rejoin"' }, 'problem', 'stopped: run "tagwright hub rejoin"'],
])('%o is %s', (status, state, detail) => {
  const finding = mirrorFinding({ hub: { status: () => ({ ...CURRENT, ...status }) } }, AT);
  expect(finding).toMatchObject({ state, detail: expect.stringContaining(detail) });
});
