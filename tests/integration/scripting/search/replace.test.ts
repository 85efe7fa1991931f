import { expect, test } from 'vitest';
import type { FoundItem } from '#domain/search/found';
import type { SearchQuery } from '#domain/search/query';
import type { Json } from '#domain/text/json';
import type { ReplaceRequest } from '#domain/search/replaced';
import { SCRIPT_LIMITS } from '#domain/run/script';
import { mockRoute } from '#contract/texts/mock-route';
import { thrownBy } from '../../../support/thrown-by.ts';
import { tagOf } from '../../plant/tags/tag-workspace.ts';
import { find, REQUEST, withNeedles } from './needles.ts';

type Services = Awaited<ReturnType<typeof withNeedles>>['services'];

/** A request to replace all matches of items. */
function requestOf(
  items: readonly FoundItem[],
  query: Partial<SearchQuery>,
  text: string,
  more: Partial<ReplaceRequest> = {},
): ReplaceRequest {
  return {
    query: { ...REQUEST.query, ...query },
    replacement: { text, preserveCase: false },
    items: items.map(({ kind, key, texts }) => ({
      kind,
      key,
      texts: texts.map(({ field, hash, matches }) => ({ field, hash, starts: matches.map(({ start }) => start) })),
    })),
    window: null,
    dryRun: false,
    ...more,
  };
}

/** The texts with needles, or what replaced them. */
function textsOf({ scripts, scriptTests, tagDefinitions, rules, mocks }: Services, id: number) {
  const [mock] = mocks.list().mocks;
  return {
    script: scripts.get({ id }).body,
    draft: scripts.listDrafts()[0]?.body,
    test: scriptTests.list()[0]?.expect.result,
    sql: tagDefinitions.definition({ path: 'Line 1.Rows.Value' }).settings['readSql'],
    expression: tagDefinitions.definition({ path: 'Line 1.Twice.Value' }).settings['expression'],
    rule: rules.list()[0]?.condition,
    url: mock?.request.url,
    header: mock?.request.headers[0]?.[1],
    request: mock?.request.body,
    answer: mock?.answer.body,
  };
}

const REPLACED = {
  script: 'let a = 1;\n  const pin = a; // pin\nreturn pin;',
  draft: 'return Needle;',
  test: 'pin',
  sql: "SELECT\n 'pin'",
  expression: "2 * tag('Line 1.Filler.Speed.Value') /* pin */",
  rule: "Top !== 'pin'",
  url: 'https://erp.example/pin',
  header: 'pin',
  request: { json: { a: 'pin' } },
  answer: { kind: 'json', json: { list: ['pin'], pin: 1 } },
};

test('replaces in all kinds, and undoes that', async () => {
  const { services, fill } = await withNeedles();
  const before = textsOf(services, fill.id);
  const { items } = await find(services, { text: 'needle' });
  const outcome = await services.search.replace(requestOf(items, { text: 'needle' }, 'pin'));
  expect(outcome).toMatchObject({ items: 6, matches: 13, drafts: [] });
  expect(outcome.refused).toMatchObject([
    { kind: 'drafts', why: 'invalid', reason: expect.stringContaining('window') },
  ]);
  expect(textsOf(services, fill.id)).toEqual(REPLACED);
  // A version as usual.
  expect(services.scripts.get({ id: fill.id }).version).toBe(2);
  expect((await find(services, { text: 'needle' })).items).toMatchObject([{ kind: 'drafts' }]);

  const undone = await services.search.undo({ id: outcome.undo ?? '' });
  expect(undone).toEqual({ items: 6, refused: [] });
  expect(textsOf(services, fill.id)).toEqual(before);
  expect(services.scripts.get({ id: fill.id }).version).toBe(3);
  expect(await thrownBy(() => services.search.undo({ id: outcome.undo ?? '' }))).toMatchObject({ code: 'NOT_FOUND' });
});

test('a dry run saves nothing', async () => {
  const { services, fill } = await withNeedles();
  const before = textsOf(services, fill.id);
  const { items } = await find(services, { text: 'needle' });
  const outcome = await services.search.replace(requestOf(items, { text: 'needle' }, 'pin', { dryRun: true }));
  expect(outcome).toMatchObject({ items: 6, matches: 13, undo: null });
  expect(textsOf(services, fill.id)).toEqual(before);
});

test('only the chosen matches, with groups of a regular expression', async () => {
  const { services, fill } = await withNeedles();
  const query = { text: '(const )?(need)le', regex: true, matchCase: true };
  const { items } = await find(services, query, { kinds: ['scripts'] });
  const [item] = items;
  const [text] = item?.texts ?? [];
  expect(text?.matches).toHaveLength(3);
  if (!item || !text) return;
  const chosen = { ...item, texts: [{ ...text, matches: text.matches.filter((_, index) => index !== 1) }] };
  await services.search.replace(requestOf([chosen], query, '$1$2-$$'));
  expect(services.scripts.get({ id: fill.id }).body).toBe('let a = 1;\n  const need-$ = a; // needle\nreturn need-$;');
});

test('an item that has changed is a conflict; the others are replaced', async () => {
  const { services, fill } = await withNeedles();
  const { items } = await find(services, { text: 'needle' }, { kinds: ['scripts', 'rules', 'tags'] });
  await services.scripts.save({ group: 'Line 1', name: 'Fill', description: '', body: 'needle + 1', id: fill.id });
  const [rule] = services.rules.list();
  await services.rules.delete({ id: rule?.id ?? 0, rows: 'keep' });
  const outcome = await services.search.replace(requestOf(items, { text: 'needle' }, 'pin'));
  expect(outcome).toMatchObject({ items: 2, matches: 2 });
  expect(outcome.refused).toMatchObject([
    { kind: 'scripts', name: 'Line 1/Fill', why: 'conflict', reason: expect.stringContaining('search again') },
    { kind: 'rules', why: 'conflict', reason: 'It no longer exists.' },
  ]);
  expect(services.scripts.get({ id: fill.id }).body).toBe('needle + 1');
  expect(textsOf(services, fill.id).sql).toBe(REPLACED.sql);
});

test('an item that changes while others are saved is a conflict, too', async () => {
  const { services, fill } = await withNeedles();
  const { items } = await find(services, { text: 'needle' }, { kinds: ['scripts', 'rules', 'mocks'] });
  const replacing = services.search.replace(requestOf(items, { text: 'needle' }, 'pin'));
  // Both are jobs of the commit queue: this one is first, after the checks of the other.
  const save = services.scripts.save({
    group: 'Line 1',
    name: 'Fill',
    description: '',
    body: 'needle + 2',
    id: fill.id,
  });
  const [outcome] = await Promise.all([replacing, save]);
  expect(outcome.items).toBe(2);
  expect(outcome.refused).toMatchObject([{ kind: 'scripts', why: 'conflict' }]);
  expect(services.scripts.get({ id: fill.id }).body).toBe('needle + 2');
});

test('what could not be saved stays, with the reason', async () => {
  const { services, fill } = await withNeedles();
  const { items } = await find(services, { text: 'needle' });
  const outcome = await services.search.replace(requestOf(items, { text: 'needle' }, `"'*/ (`));
  const reasons = outcome.refused.map(({ kind, name, why, reason }) => `${kind} ${name} ${why}: ${reason}`);
  expect(reasons).toEqual([
    expect.stringMatching(/^drafts .* invalid/),
    expect.stringMatching(/^tests Line 1\/Fill: Full invalid: .*JSON/),
    expect.stringMatching(/^tags Line 1.Rows.Value invalid: settings.readSql: /),
    expect.stringMatching(/^tags Line 1.Twice.Value invalid: settings.expression: /),
    expect.stringMatching(/^rules Speeds invalid: condition: not an expression/),
    expect.stringMatching(/^mocks Order invalid: .*JSON/),
  ]);
  // Scripts may be unfinished, as in other saves.
  expect(outcome.items).toBe(1);
  const { script, rule, answer } = textsOf(services, fill.id);
  expect(script).toContain(`return "'*/ (;`);
  expect([rule, answer]).toEqual(["Top !== 'needle'", { kind: 'json', json: { list: ['needle'], needle: 1 } }]);
});

test('calculations that would depend on themselves are refused', async () => {
  const { services } = await withNeedles();
  const { tagDefinitions } = services;
  await tagDefinitions.save(
    tagOf('Calc.A.Value', 'calculation', 'Double', { expression: "tag('Line 1.Filler.Speed.Value')" }),
  );
  await tagDefinitions.save(tagOf('Calc.B.Value', 'calculation', 'Double', { expression: "tag('Calc.A.Value')" }));
  const query = { text: 'Line 1.Filler.Speed' };
  const { items } = await find(services, query, { include: 'Calc.*' });
  const outcome = await services.search.replace(requestOf(items, query, 'Calc.B'));
  expect(outcome).toMatchObject({ items: 0, refused: [{ kind: 'tags', why: 'invalid' }] });
});

test('the draft of a window is returned for its editor, not saved', async () => {
  const { services, fill } = await withNeedles();
  const { items } = await find(services, { text: 'needle' }, { kinds: ['scripts', 'drafts'], window: 'w1' });
  const outcome = await services.search.replace(requestOf(items, { text: 'needle' }, 'pin', { window: 'w1' }));
  expect(outcome).toMatchObject({ items: 1, matches: 1, refused: [], undo: null });
  expect(outcome.drafts).toEqual([{ key: `script-${fill.id}@w1`, before: 'return Needle;', after: 'return pin;' }]);
  expect(services.scripts.listDrafts()[0]?.body).toBe('return Needle;');
});

test('undo leaves items that have changed since', async () => {
  const { services, fill } = await withNeedles();
  const { items } = await find(services, { text: 'needle' }, { kinds: ['scripts', 'mocks'] });
  const { undo } = await services.search.replace(requestOf(items, { text: 'needle' }, 'pin'));
  await services.scripts.save({ group: 'Line 1', name: 'Fill', description: '', body: 'return 5;', id: fill.id });
  const undone = await services.search.undo({ id: undo ?? '' });
  expect(undone).toMatchObject({ items: 1, refused: [{ kind: 'scripts', why: 'conflict' }] });
  expect(services.scripts.get({ id: fill.id }).body).toBe('return 5;');
  expect(services.mocks.list().mocks[0]?.request.url).toBe('https://erp.example/needle');
});

test('the last ten replacements can be undone', async () => {
  const { services } = await withNeedles();
  const ids: string[] = [];
  for (let round = 0; round < 11; round += 1) {
    const query = { text: round === 0 ? 'needle' : `n${round - 1}` };
    const { items } = await find(services, query, { kinds: ['mocks'] });
    ids.push((await services.search.replace(requestOf(items, query, `n${round}`))).undo ?? '');
  }
  expect(await thrownBy(() => services.search.undo({ id: ids[0] ?? '' }))).toMatchObject({ code: 'NOT_FOUND' });
  expect(await services.search.undo({ id: ids[10] ?? '' })).toMatchObject({ items: 1 });
  expect(await services.search.undo({ id: ids[9] ?? '' })).toMatchObject({ items: 1 });
});

test('a hostile expression replaces nothing', async () => {
  const { services, fill } = await withNeedles();
  const { items } = await find(services, { text: 'needle' }, { kinds: ['scripts'] });
  const body = `// ${'a'.repeat(64)}!`;
  const { id } = await services.scripts.save({ group: 'Line 2', name: 'Long', description: '', body });
  const [long] = (await find(services, { text: '//' }, { kinds: ['scripts'], include: 'Line 2/Long' })).items;
  const request = requestOf(long ? [...items, long] : items, { text: '(a+)+$', regex: true }, 'x');
  expect(await thrownBy(() => services.search.replace(request))).toMatchObject({
    message: expect.stringContaining('Line 2/Long'),
  });
  expect([services.scripts.get({ id }).version, services.scripts.get({ id: fill.id }).version]).toEqual([1, 1]);
});

test('items that a replacement makes too long are refused, one by one', async () => {
  const { services } = await withNeedles();
  const body = `// ${'a'.repeat(SCRIPT_LIMITS.bodyBytes - 10)}`;
  for (let index = 0; index < 4; index += 1) {
    await services.scripts.save({ group: 'Z', name: `Long ${index}`, description: '', body });
  }
  await services.scripts.save({ group: 'Z', name: 'Short', description: '', body: '// a' });
  const query = { text: '[^]+', regex: true };
  const { items } = await find(services, query, { include: 'Z/*' });
  for (const times of [400, 600]) {
    const outcome = await services.search.replace(requestOf(items, query, '$&'.repeat(times), { dryRun: true }));
    expect(outcome).toMatchObject({ items: 1, matches: 1 });
    expect(outcome.refused).toHaveLength(4);
    expect(outcome.refused[0]).toMatchObject({ why: 'invalid', reason: expect.stringContaining('more than') });
  }
});

test('all matches of a text are replaced, or none', async () => {
  const { services } = await withNeedles();
  // A multiple of four.
  const many = SCRIPT_LIMITS.bodyBytes - 4;
  expect(many).toBeGreaterThan(1_000_000);
  const body = `//${'a'.repeat(many)}`;
  const { id } = await services.scripts.save({ group: 'Z', name: 'Long', description: '', body });
  for (const [regex, from, to] of [
    // A regular expression has a limited time.
    [true, 'aaaa', 'bbbb'],
    [false, 'b', 'c'],
  ] as const) {
    const query = { text: from, regex, matchCase: true };
    const { items } = await find(services, query, { include: 'Z/*' });
    const request = requestOf(items, query, to);
    const all = request.items.map((item) => ({
      ...item,
      texts: item.texts.map((text) => ({ ...text, starts: null })),
    }));
    expect(await services.search.replace({ ...request, items: all })).toMatchObject({
      matches: many / from.length,
      refused: [],
    });
    expect(services.scripts.get({ id }).body).toBe(`//${to.repeat(many / to.length)}`);
  }
});

/** A mock with a JSON body, whose text is replaced. */
async function inMockBody(json: Json, from: string, to: string) {
  const { services } = await withNeedles();
  const { search, mocks } = services;
  const request = { url: 'https://erp.example/json' };
  await mocks.save(mockRoute().parse({ name: 'Json', request, answer: { body: { kind: 'json', json } } }));
  const body = () => mocks.list().mocks.find(({ name }) => name === 'Json')?.answer.body;
  const query = { text: from, matchCase: true };
  const { items } = await find(services, query, { include: 'Json' });
  const outcome = await search.replace(requestOf(items, query, to));
  return { services, body, outcome };
}

test.each([
  [{ alphaA: 1, alphaB: 2 }, 'alphaA', 'alphaB', 'the member "alphaB" occurs more than once'],
  [{ a: { polluted: 1 } }, '"a"', '"__proto__"', '"__proto__"'],
  [{ a: 77 }, '77', '12345678901234567890123', 'would be rounded'],
])('a replacement in %j by which JSON would lose something is refused', async (json, from, to, reason) => {
  const { body, outcome } = await inMockBody(json, from, to);
  expect(outcome).toMatchObject({ items: 0, undo: null });
  expect(outcome.refused).toMatchObject([{ kind: 'mocks', why: 'invalid', reason: expect.stringContaining(reason) }]);
  expect(body()).toEqual({ kind: 'json', json });
});

test('a replacement in JSON that saving formats can be undone', async () => {
  const { services, body, outcome } = await inMockBody({ p: 5 }, '5', '5.10');
  expect(body()).toEqual({ kind: 'json', json: { p: 5.1 } });
  expect(await services.search.undo({ id: outcome.undo ?? '' })).toEqual({ items: 1, refused: [] });
  expect(body()).toEqual({ kind: 'json', json: { p: 5 } });
});

test('what could not be undone can be undone later', async () => {
  const { services, fill } = await withNeedles();
  const { items } = await find(services, { text: 'needle' }, { kinds: ['scripts', 'mocks'] });
  const { undo } = await services.search.replace(requestOf(items, { text: 'needle' }, 'pin'));
  const { group, name, description, body } = services.scripts.get({ id: fill.id });
  const save = (text: string) => services.scripts.save({ group, name, description, body: text, id: fill.id });
  await save('return 5;');
  const id = undo ?? '';
  expect(await services.search.undo({ id })).toMatchObject({ items: 1, refused: [{ kind: 'scripts' }] });
  await save(body);
  expect(await services.search.undo({ id })).toEqual({ items: 1, refused: [] });
  expect(services.scripts.get({ id: fill.id }).body).toContain('needle');
  expect(await thrownBy(() => services.search.undo({ id }))).toMatchObject({ code: 'NOT_FOUND' });
});
