import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import {
  RecentWorkspaces,
  recentWorkspacesFile,
  REMEMBERED,
} from '../../../../src-main/workspace/workspaces/recent-workspaces.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

function listIn(folder: string) {
  const clock = new FakeClock();
  const file = join(folder, 'state', 'recent-workspaces.json');
  return { clock, file, recent: new RecentWorkspaces(file, clock) };
}

test('the last opened is first and listed once; a missing workspace is marked', () => {
  const folder = temporaryFolder();
  const { recent, clock, file } = listIn(folder);
  expect(recent.list()).toEqual([]);
  const [north, south] = [join(folder, 'north'), join(folder, 'south')];
  mkdirSync(north);
  writeFileSync(join(north, 'workspace.db'), '');
  recent.remember(north);
  clock.advance(1_000);
  recent.remember(south);
  expect(recent.list()).toEqual([
    { directory: south, openedAt: '2026-08-01T10:15:01.000Z', state: 'gone' },
    { directory: north, openedAt: '2026-08-01T10:15:00.000Z', state: 'there' },
  ]);
  clock.advance(1_000);
  recent.remember(join(south, '..', 'north'));
  expect(recent.list().map(({ directory, openedAt }) => [directory, openedAt])).toEqual([
    [north, '2026-08-01T10:15:02.000Z'],
    [south, '2026-08-01T10:15:01.000Z'],
  ]);
  expect(readdirSync(join(file, '..'))).toEqual(['recent-workspaces.json']);
});

test('only the newest are remembered', () => {
  const { recent } = listIn(temporaryFolder());
  for (let at = 0; at < REMEMBERED + 5; at += 1) recent.remember(`/plants/${at}`);
  expect(REMEMBERED).toBe(20);
  expect(recent.list()).toHaveLength(REMEMBERED);
  expect(recent.list()[0]?.directory).toBe(resolve('/plants/24'));
});

test('one is removed, the others stay', () => {
  const { recent } = listIn(temporaryFolder());
  recent.remember('/plants/north');
  recent.remember('/plants/south');
  expect([recent.forget('/plants/north'), recent.forget('/plants/north')]).toEqual([true, false]);
  expect(recent.list().map(({ directory }) => directory)).toEqual([resolve('/plants/south')]);
});

test.each(['', '{"workspaces":', '{"workspaces":[{"directory":1}]}', '[]', '\0\0\0', 'null'])(
  'a damaged file (%j) is an empty list, and is replaced',
  (damage) => {
    const { recent, file } = listIn(temporaryFolder());
    mkdirSync(join(file, '..'));
    writeFileSync(file, damage);
    expect(recent.list()).toEqual([]);
    expect(recent.forget('/plants/north')).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe(damage);
    recent.remember('/plants/north');
    expect(recent.list()).toHaveLength(1);
  },
);

test('the list is in TAGWRIGHT_STATE, else next to the workspace of the user', () => {
  expect(recentWorkspacesFile({ TAGWRIGHT_STATE: 'state' })).toBe(resolve('state', 'recent-workspaces.json'));
  expect(recentWorkspacesFile({})).toMatch(/tagwright.*recent-workspaces\.json$/);
});
