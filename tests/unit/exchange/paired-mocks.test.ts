import { expect, test } from 'vitest';
import { mockRoute } from '#contract/texts/mock-route';
import { pairedMocks } from '../../../src-main/exchange/paired-mocks.ts';

const routeOf = (url: string, folder?: string) =>
  mockRoute().parse({ name: 'List', request: { url }, ...(folder !== undefined && { folder }) });
const storedOf = (id: number, url: string, folder?: string) => ({
  ...routeOf(url, folder),
  id,
  hits: 0,
  lastHitAt: null,
  position: 0,
});

test('a changed mock replaces that of its name in its folder, else one of its name', () => {
  const stored = [
    storedOf(1, '//a'),
    storedOf(2, '//b', 'ERP'),
    storedOf(3, '//c', 'MES'),
    storedOf(4, '//same', 'ERP'),
  ];
  const given = [routeOf('//same', 'ERP'), routeOf('//changed', 'MES'), routeOf('//moved', 'New')];
  const { changes, others } = pairedMocks(stored, given);
  expect(changes.map(({ mock, id }) => [mock.request.url, id])).toEqual([
    ['//changed', 3],
    ['//moved', 1],
  ]);
  expect(others).toEqual([2]);
});
