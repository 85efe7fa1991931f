import { expect, test } from 'vitest';
import { workbench } from './needles.ts';

const AT = '2026-08-01T06:00:00Z';

async function withHelpers() {
  const services = await workbench();
  const { scripts } = services;
  const save = (name: string, body: string) => scripts.save({ group: 'G', name, description: '', body });
  const a = await save('A', 'function half(x) { return x / 2; }\nreturn half(4);');
  const b = await save('B', '// half\nconst half = (x) => x / 2;\nreturn [2].map(half);');
  await save('Broken', 'half(');
  await save('None', 'return "half";');
  const draft = { group: 'G', name: 'A', description: '', body: 'function quarter(x) { return x / 4; }' };
  await scripts.putDraft({ ...draft, key: `script-${a.id}@w1`, scriptId: a.id, baseVersion: 1, changedAt: AT });
  const fresh = { group: 'G', name: 'New', description: '', body: 'function quarters() {}' };
  await scripts.putDraft({ ...fresh, key: 'new-1@w1', scriptId: null, baseVersion: 0, changedAt: AT });
  return { services, a, b };
}

test('symbols of scripts, and of the drafts of a window in place of their scripts', async () => {
  const { services, a, b } = await withHelpers();
  const { search, scripts } = services;
  const symbolsFor = async (text: string, window: string | null) =>
    (await search.symbols({ text, limit: 100, window })).symbols.map(({ name, script, scriptName, line, column }) => [
      name,
      script,
      `${scriptName} ${line}:${column}`,
    ]);
  expect(await symbolsFor('half', null)).toEqual([
    ['half', String(a.id), 'G/A 1:10'],
    ['half', String(b.id), 'G/B 2:7'],
  ]);
  expect(await symbolsFor('half', 'w1')).toEqual([['half', String(b.id), 'G/B 2:7']]);
  expect(await symbolsFor('quarter', 'w1')).toEqual([
    ['quarter', String(a.id), 'G/A 1:10'],
    ['quarters', 'new-1', 'G/New 1:10'],
  ]);
  expect(await symbolsFor('quarter', 'w2')).toEqual([]);
  // A new version is parsed again.
  await scripts.save({ group: 'G', name: 'B', description: '', body: 'const third = 3;', id: b.id });
  expect(await symbolsFor('third', null)).toEqual([['third', String(b.id), 'G/B 1:7']]);
  expect(await symbolsFor('half', null)).toHaveLength(1);
});

test('references to a name in all scripts, with their roles', async () => {
  const { services } = await withHelpers();
  const { items, end } = await services.search.references({ name: 'half', window: null });
  const found = items.map(({ name, texts }) => [
    name,
    texts[0]?.matches.map(({ line, column, role }) => `${role ?? 'text'} ${line}:${column}`),
  ]);
  expect(found).toEqual([
    ['G/A', ['definition 1:10', 'call 2:8']],
    ['G/B', ['definition 2:7', 'use 3:16']],
    ['G/Broken', ['text 1:1']],
  ]);
  expect(end).toEqual({ items: 3, matches: 5, more: 0, capped: false });
});
