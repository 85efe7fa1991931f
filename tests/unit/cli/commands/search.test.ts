import { expect, test } from 'vitest';
import type { ReplaceRequest } from '#domain/search/replaced';
import type { SearchRequest } from '#domain/search/found';
import { fakeServices } from '../../../contract/fake-services.ts';
import { runCommand } from '../run-command.ts';

test('search prints a line for every match, or only JSON', async () => {
  expect(await runCommand(['search', 'pump'])).toEqual({
    code: 0,
    out: 'script Line/Fill:1:1: pump;\n',
    err: '1 match in 1 item\n',
  });
  const json = await runCommand(['search', 'pump', '--json']);
  expect(JSON.parse(json.out)).toMatchObject({ items: [{ name: 'Line/Fill' }], end: { matches: 1 } });
});

test('options become a request', async () => {
  const services = fakeServices();
  const requests: SearchRequest[] = [];
  const find = services.search.find.bind(services.search);
  services.search = { ...services.search, find: (request, signal) => (requests.push(request), find(request, signal)) };
  const args = ['search', 'a', '--regex', '--case', '--word', '--kind', 'script', 'mock', '--include', 'L*'];
  await runCommand([...args, '--exclude', 'x'], { services });
  expect(requests).toEqual([
    {
      query: { text: 'a', regex: true, matchCase: true, wholeWord: true },
      kinds: ['scripts', 'mocks'],
      include: 'L*',
      exclude: 'x',
      window: null,
      limit: 200_000,
    },
  ]);
});

test('a replacement is shown, and saved only with --yes', async () => {
  const services = fakeServices();
  const requests: ReplaceRequest[] = [];
  const replace = services.search.replace.bind(services.search);
  services.search = { ...services.search, replace: (request) => (requests.push(request), replace(request)) };
  const shown = 'script Line/Fill:1:1\n- pump;\n+ valve;\n';
  const refused = 'Not replaced: mock Order: JSON\n';
  expect(await runCommand(['search', 'pump', '--replace', 'valve'], { services })).toEqual({
    code: 1,
    out: shown,
    err: `${refused}Nothing was saved: this would replace 1 match in 1 item. To do that, add --yes.\n`,
  });
  expect(await runCommand(['search', 'pump', '--replace', 'valve', '--yes'], { services })).toEqual({
    code: 1,
    out: shown,
    err: `${refused}Replaced 1 match in 1 item.\n`,
  });
  expect(requests.map(({ dryRun, items }) => [dryRun, items[0]?.texts])).toEqual([
    [true, [{ field: 'body', hash: 'h', starts: null }]],
    [false, [{ field: 'body', hash: 'h', starts: null }]],
  ]);
  const json = await runCommand(['search', 'pump', '--replace', 'valve', '--json'], { services });
  expect(JSON.parse(json.out)).toMatchObject({ applied: false, matches: 1, refused: [{ name: 'Order' }] });
});

test('nothing found exits with 1; wrong usage with 2', async () => {
  const services = fakeServices();
  services.search = {
    ...services.search,
    async *find() {
      yield { searched: 0, total: 0, items: [], end: { items: 0, matches: 0, more: 0, capped: false } };
    },
  };
  expect(await runCommand(['search', 'x'], { services })).toEqual({ code: 1, out: '', err: 'No matches\n' });
  expect(await runCommand(['search', 'x', '--yes'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--yes needs --replace TEXT.'),
  });
  expect(await runCommand(['search', 'x', '--kind', 'page'])).toMatchObject({ code: 2 });
});

test.each([
  [{ items: 3, matches: 300_000, more: 100_000, capped: false }, '300,000 matches'],
  [{ items: 3, matches: 1_000_000, more: 0, capped: true }, 'more than 1,000,000 matches'],
])('a replacement of more matches than are listed replaces nothing', async (end, reason) => {
  const services = fakeServices();
  const { find } = services.search;
  let replaced = false;
  services.search = {
    ...services.search,
    async *find(request, signal) {
      for await (const step of find(request, signal)) yield { ...step, end: step.end && end };
    },
    replace: async () => {
      replaced = true;
      return { items: 0, matches: 0, refused: [], drafts: [], undo: null };
    },
  };
  const ran = await runCommand(['search', 'pump', '--replace', 'valve', '--yes'], { services });
  expect(ran).toMatchObject({ out: '', err: expect.stringContaining(reason) });
  expect(ran.err).toContain('--include');
  expect(ran.code).toBeGreaterThan(0);
  expect(replaced).toBe(false);
});
