import { expect, test } from 'vitest';
import { literalsOf } from '../../../../../src-renderer/features/scripts/editor/language/tag-literals.ts';

const paths = (body: string) => literalsOf(body)?.paths.map(({ path }) => path) ?? null;

test.each([
  ['the array of a Get', 'return TagValueManager.Get([\'A.B.C\', "D.E.F", `G.H.I`]);', ['A.B.C', 'D.E.F', 'G.H.I']],
  [
    'the items of a Set, in both casings',
    "TagValueManager.Set([{ tag: 'A.B.C', value: 'no.t.this' }, { Tag: 'D.E.F', Value: 1 }]);",
    ['A.B.C', 'D.E.F'],
  ],
  [
    'a name or a list that is constant',
    "const path = 'A.B.C';\nconst all = [path, ...more];\nconst more = ['D.E.F'];\nawait TagValueManager.Get(all);",
    ['A.B.C', 'D.E.F'],
  ],
  ['both sides of a condition', "TagValueManager.Get([on ? 'A.B.C' : 'D.E.F'])", ['A.B.C', 'D.E.F']],
  [
    'a path with quotes and other characters',
    String.raw`TagValueManager.Get(['A.it\'s.😀', 'שלום.B.C'])`,
    ["A.it's.😀", 'שלום.B.C'],
  ],
  ['each place once', "const p = 'A.B.C'; TagValueManager.Get([p, p]);", ['A.B.C']],
  ['names in a circle', 'const a = b; const b = a; TagValueManager.Get([a, ...b]);', []],
])('found: %s', (_what, body, expected) => {
  expect(paths(body)).toEqual(expected);
});

test.each([
  ['put together', "TagValueManager.Get(['A.' + line + '.C', `A.${line}.C`, names[0], pathOf('A.B.C')])"],
  ['of another call', "console.log('A.B.C'); other.Get(['A.B.C']); TagValueManager.Other(['A.B.C'])"],
  ['in a variable that may change', "let path = 'A.B.C'; path = other(); TagValueManager.Get([path])"],
  ['not in a list', "TagValueManager.Get('A.B.C'); TagValueManager.Set({ tag: 'A.B.C' })"],
])('ignored: %s', (_what, body) => {
  expect(paths(body)).toEqual([]);
});

test('positions are inside the quotes', () => {
  const body = "// ünïcode 😀\r\nreturn TagValueManager.Get(['A.B.C']);";
  expect(literalsOf(body)?.paths.map(({ start, end }) => body.slice(start, end))).toEqual(['A.B.C']);
});

test('text that does not parse has none; deeply nested code is searched', () => {
  expect(paths("TagValueManager.Get(['A.B.C'")).toBeNull();
  expect(paths(`${'('.repeat(500)}TagValueManager.Get(['A.B.C'])${')'.repeat(500)}`)).toEqual(['A.B.C']);
});

test('texts that an API call rejects in their position are found, also in a constant', () => {
  const body = `const VERB = 'patch';
ApiValueManager.Fetch('https://x', VERB, null, null, 'json');
ApiValueManager.FetchWithApiKey('https://x', 'Put', 'patch', 'patch', null, 'text/csv; charset=utf-8');
ApiValueManager.GetImage('https://x', null, '{{secret:TYPE}}'); other.Fetch('https://x', 'patch');`;
  expect(literalsOf(body)?.invalid.map(({ start, end, problem }) => [body.slice(start, end), problem])).toEqual([
    ['patch', 'httpMethod is "patch"; pass "get", "post", "put" or "delete".'],
    ['json', 'mediaType is "json"; pass one such as "application/json".'],
  ]);
});
