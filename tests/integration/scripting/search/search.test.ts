import { expect, test } from 'vitest';
import type { FoundItem, SearchRequest } from '#domain/search/found';
import { TagwrightError } from '../../../../src-main/platform/errors.ts';
import { thrownBy } from '../../../support/thrown-by.ts';
import { find, REQUEST, withNeedles, workbench } from './needles.ts';

const shownOf = (items: readonly FoundItem[]) =>
  items.map(({ kind, name, texts }) => [
    kind,
    name,
    texts.map(({ field, matches }) => `${field} ${matches.map(({ line, column }) => `${line}:${column}`).join(' ')}`),
  ]);

test('every kind is searched, with the lines of the matches', async () => {
  const { services } = await withNeedles();
  const { items, end } = await find(services, { text: 'needle' });
  expect(shownOf(items)).toEqual([
    ['scripts', 'Line 1/Fill', ['body 2:9 2:24 3:8']],
    ['drafts', 'Line 1/Fill', ['body 1:8']],
    ['tests', 'Line 1/Fill: Full', ['test 6:19 12:16']],
    ['tags', 'Line 1.Rows.Value', ['settings.readSql 2:3']],
    ['tags', 'Line 1.Twice.Value', ['settings.expression 1:41']],
    ['rules', 'Speeds', ['condition 1:10']],
    ['mocks', 'Order', ['request.url 1:21', 'request.headers.0 1:1', 'request.body 2:9', 'answer.body 3:6 5:4']],
  ]);
  expect(items.flatMap(({ tagKind }) => tagKind ?? [])).toEqual(['db', 'calculation']);
  expect(end).toEqual({ items: 7, matches: 14, more: 0, capped: false });
  const [first] = items[0]?.texts[0]?.matches ?? [];
  expect(first).toMatchObject({ before: 'const ', text: 'needle', after: ' = a; // needle' });
});

test('a window finds its draft in place of the script, and drafts of others read-only', async () => {
  const { services, fill } = await withNeedles();
  const own = await find(services, { text: 'needle' }, { kinds: ['scripts', 'drafts'], window: 'w1' });
  expect(own.items).toMatchObject([{ kind: 'drafts', scriptId: fill.id, readOnly: null }]);
  const other = await find(services, { text: 'needle' }, { kinds: ['scripts', 'drafts'], window: 'w2' });
  expect(other.items).toMatchObject([
    { kind: 'scripts', readOnly: null },
    { kind: 'drafts', readOnly: expect.stringContaining('another window') },
  ]);
});

test('kinds and names are filtered', async () => {
  const { services } = await withNeedles();
  const names = async (more: Partial<SearchRequest>) =>
    (await find(services, { text: 'needle' }, more)).items.map(({ name }) => name);
  expect(await names({ kinds: ['tags', 'mocks'] })).toEqual(['Line 1.Rows.Value', 'Line 1.Twice.Value', 'Order']);
  expect(await names({ include: 'Line 1/*' })).toEqual(['Line 1/Fill', 'Line 1/Fill', 'Line 1/Fill: Full']);
  expect(await names({ include: 'Line 1*', exclude: '*/*, *Rows*' })).toEqual(['Line 1.Twice.Value']);
});

test('regular expressions have their groups, and the same places as text', async () => {
  const { services } = await withNeedles();
  const { items, end } = await find(services, { text: '(need)(le)', regex: true });
  const plain = await find(services, { text: 'needle' });
  expect(end).toEqual(plain.end);
  expect(shownOf(items)).toEqual(shownOf(plain.items));
  expect(items[0]?.texts[0]?.matches[0]?.groups).toEqual({ numbered: ['need', 'le'] });
});

test('an invalid regular expression, or one that takes too long, is explained', async () => {
  const { services } = await withNeedles();
  expect(await thrownBy(() => find(services, { text: 'needle(', regex: true }))).toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining('a "(" has no ")"'),
  });
  const body = `// ${'a'.repeat(64)}!`;
  await services.scripts.save({ group: 'Line 2', name: 'Long', description: '', body });
  const hostile = thrownBy(() => find(services, { text: '(a+)+$', regex: true }));
  // Main goes on in the meantime.
  const plain = await find(services, { text: 'needle' });
  expect(plain.end?.matches).toBe(14);
  expect(await hostile).toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringMatching(/takes longer than 2 s.*The text is in Line 2\/Long\./),
  });
});

test('a search that is cancelled ends, also inside of a hostile expression', async () => {
  const { services } = await withNeedles();
  await services.scripts.save({ group: 'A', name: 'Long', description: '', body: `// ${'a'.repeat(64)}!` });
  const cancel = new AbortController();
  const request = { ...REQUEST, query: { ...REQUEST.query, text: '(a+)+$', regex: true } };
  const steps = services.search.find(request, cancel.signal);
  const next = thrownBy(() => steps.next());
  cancel.abort(new TagwrightError('CANCELLED', 'The search was cancelled.'));
  expect(await next).toMatchObject({ code: 'CANCELLED' });
});

test('the list is bounded, and the rest is counted', async () => {
  const services = await workbench();
  for (let index = 0; index < 3; index += 1) {
    await services.scripts.save({ group: 'Many', name: `S${index}`, description: '', body: 'x;'.repeat(1_000) });
  }
  for (const regex of [false, true]) {
    const { items, end } = await find(services, { text: 'x', regex }, { limit: 1_500 });
    expect(end).toEqual({ items: 3, matches: 3_000, more: 1_500, capped: false });
    expect(items.map(({ texts }) => texts[0]?.matches.length)).toEqual([1_000, 500]);
  }
});

test('counting ends at a million, and steps report the progress', async () => {
  const services = await workbench();
  for (let index = 0; index < 3; index += 1) {
    await services.scripts.save({ group: 'Many', name: `S${index}`, description: '', body: 'x'.repeat(500_000) });
  }
  for (const regex of [false, true]) {
    const { end, steps } = await find(services, { text: 'x', regex }, { limit: 10 });
    expect(end).toMatchObject({ matches: 1_000_000, more: 999_990, capped: true });
    expect(steps.every(({ searched, total }) => searched <= total && total === 3)).toBe(true);
  }
});
