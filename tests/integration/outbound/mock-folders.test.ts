import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mockRoute } from '#contract/texts/mock-route';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { wiredOutbound } from '../../support/services/wired-outbound.ts';

const routeOf = (name: string, folder?: string) =>
  mockRoute().parse({ name, request: { url: 'https://far.invalid/x' }, ...(folder !== undefined && { folder }) });

test('folders are stored, exported and imported; without folders, as before', async () => {
  const directory = join(temporaryFolder(), 'plant');
  const first = wiredOutbound({}, directory);
  await first.mocks.save(routeOf('Plain'));
  expect(first.mocks.export().text).not.toContain('folder');
  await first.mocks.save(routeOf('Order', 'ERP/Orders'));
  const { text } = first.mocks.export();
  await first.close();
  const second = wiredOutbound({}, directory);
  expect(second.mocks.list().mocks.map(({ folder }) => folder)).toEqual([undefined, 'ERP/Orders']);
  await second.mocks.import({ format: 'auto', text, replace: true });
  expect(second.mocks.export().text).toBe(text);
  await second.close();
});

test('an update changes all mocks or none, and neither their hits nor their order', async () => {
  const directory = join(temporaryFolder(), 'plant');
  const wired = wiredOutbound({ 'api.mode': 'offline' }, directory);
  const one = await wired.mocks.save(routeOf('One', 'Old'));
  const two = await wired.mocks.save(routeOf('Two'));
  await wired.call('Fetch', ['https://far.invalid/x', 'get']);
  const changes = [
    { id: one.id, folder: null },
    { id: two.id, folder: 'New', enabled: false },
  ];
  await expect(wired.mocks.update({ changes: [...changes, { id: 99, enabled: true }] })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  expect(wired.mocks.list().mocks[0]).toMatchObject({ folder: 'Old' });
  expect(await wired.mocks.update({ changes })).toEqual({ count: 2 });
  const changed = [
    { ...routeOf('One'), id: one.id, hits: 1 },
    { ...routeOf('Two', 'New'), id: two.id, enabled: false, hits: 0 },
  ];
  expect(wired.mocks.list().mocks).toMatchObject(changed);
  expect(wired.mocks.list().mocks[0]).not.toHaveProperty('folder');
  await wired.close();
  expect(wiredOutbound({}, directory).mocks.list().mocks).toMatchObject(changed);
});

test('an update and a save at once both count', async () => {
  const { mocks } = wiredOutbound({}, join(temporaryFolder(), 'plant'));
  const { id } = await mocks.save(routeOf('One'));
  await Promise.all([
    mocks.save({ ...routeOf('Renamed'), id }),
    mocks.update({ changes: [{ id, folder: 'ERP', enabled: false }] }),
  ]);
  expect(mocks.list().mocks).toMatchObject([{ name: 'Renamed', folder: 'ERP', enabled: false }]);
  const [gone] = await Promise.allSettled([
    mocks.update({ changes: [{ id, enabled: true }] }),
    mocks.delete({ ids: [id] }),
  ]);
  expect([gone.status, mocks.list().mocks]).toEqual(['fulfilled', []]);
});
