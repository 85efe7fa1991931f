import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mockRoute } from '#contract/texts/mock-route';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { wiredOutbound } from '../../support/services/wired-outbound.ts';

const folder = () => join(temporaryFolder(), 'plant');
const routeOf = (name: string, json: object = { level: [1, { deep: null }] }) =>
  mockRoute().parse({ name, request: { url: 'http://far.invalid/x' }, answer: { body: { kind: 'json', json } } });

test('a save over another version of a mock is rejected, even if concurrent', async () => {
  const directory = folder();
  const { mocks, close } = wiredOutbound({}, directory);
  const { id } = await mocks.save(routeOf('A'));
  const saves = await Promise.allSettled(
    ['mine', 'yours'].map((name) => mocks.save({ ...routeOf(name), id, base: routeOf('A') })),
  );
  expect(saves.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  const [stored] = mocks.list().mocks;
  expect(stored).toMatchObject({ id, name: 'mine' });
  expect(saves[1]).toMatchObject({ reason: { code: 'CONFLICT', data: { current: stored } } });
  // A change without a base replaces any version.
  await mocks.save({ ...routeOf('last'), id });
  await close();
  expect(wiredOutbound({}, directory).mocks.list().mocks).toMatchObject([{ id, name: 'last' }]);
});

test('hits and the order of members do not count as a change of a mock', async () => {
  const { mocks } = wiredOutbound({}, folder());
  const added = await mocks.save(routeOf('A', { b: 1, a: 2 }));
  await mocks.restore({
    mocks: [{ ...added, id: 9, hits: 7, lastHitAt: '2026-01-02T03:04:05.000Z' }],
    remove: [added.id],
  });
  const saved = await mocks.save({ ...routeOf('B'), id: 9, base: routeOf('A', { a: 2, b: 1 }) });
  expect(saved).toMatchObject({ name: 'B', hits: 7 });
});

test('a mock saved and deleted at once is deleted', async () => {
  const { mocks } = wiredOutbound({}, folder());
  const { id } = await mocks.save(routeOf('A'));
  const [gone, saved] = await Promise.allSettled([
    mocks.delete({ ids: [id] }),
    mocks.save({ ...routeOf('B'), id, base: routeOf('A') }),
  ]);
  expect(gone.status).toBe('fulfilled');
  expect(saved).toMatchObject({ status: 'rejected', reason: { code: 'NOT_FOUND' } });
  expect(mocks.list().mocks).toEqual([]);
  await expect(mocks.save({ ...routeOf('B'), id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a mock deleted right after its save is deleted; restored twice, it exists once', async () => {
  const { mocks } = wiredOutbound({}, folder());
  const first = await mocks.save(routeOf('A'));
  await Promise.all([mocks.save({ ...routeOf('B'), id: first.id }), mocks.delete({ ids: [first.id] })]);
  expect(mocks.list().mocks).toEqual([]);
  const { id } = await mocks.save(routeOf('C'));
  await Promise.all([mocks.save({ ...routeOf('D'), id }), mocks.delete({ ids: null })]);
  expect(mocks.list().mocks).toEqual([]);
  const back = () => mocks.restore({ mocks: [first], remove: [] });
  expect(await Promise.all([back(), back()])).toEqual([
    { restored: 1, removed: 0 },
    { restored: 0, removed: 0 },
  ]);
  expect(mocks.list().mocks).toEqual([first]);
});
