import { describe, expect, test } from 'vitest';
import { EMPTY_CONTEXT } from '#domain/run/saved-context';
import { mockRoute } from '#contract/texts/mock-route';
import { scriptTestText } from '#contract/texts/script-test-text';
import { finder, inContexts, inMock, inTest, renamer } from '../../../../src-main/scripting/usage/tag-places.ts';

const PATH = 'Plant.Line.Speed.Value';
const AWKWARD = 'Plant.Line "1".It\'s ?ed*.Value';

const contexts = (valueText: string) => ({
  current: { ...EMPTY_CONTEXT, valueText },
  chosen: null,
  named: [{ ...EMPTY_CONTEXT, name: 'One', valueText }],
  used: [],
});
const mock = (path: string) =>
  mockRoute().parse({
    name: 'One',
    request: { url: `https://plant.example/tags/${encodeURIComponent(path)}` },
    answer: { body: { kind: 'text', text: JSON.stringify({ tag: path, note: `reads ${path}.` }) } },
  });

test.each([
  [PATH, AWKWARD],
  [AWKWARD, PATH],
])('a rename of %s to %s leaves JSON and URLs valid', (path, newPath) => {
  const change = renamer(path, newPath);
  expect(inMock(mock(path), change)).toEqual(mock(newPath));
  const { current, named } = inContexts(contexts(JSON.stringify([path])), change);
  for (const one of [current, ...named]) expect(JSON.parse(one?.valueText ?? '')).toEqual([newPath]);
  expect(named[0]?.name).toBe('One');
  expect(inContexts(contexts(`not JSON: ${path}`), change).current?.valueText).toBe(`not JSON: ${newPath}`);
});

test('what a search finds is what a rename changes', () => {
  for (const path of [PATH, AWKWARD]) {
    const { visitor, members } = finder(new Set([path]));
    inMock(mock(path), visitor);
    expect([...members]).toEqual(['url', 'answer.body']);
  }
});

describe('a rename that would lose something leaves the place, which a search still finds', () => {
  const NEW = 'Plant.Line.New.Value';
  const change = renamer(PATH, NEW);
  const membersOf = (visit: (visitor: ReturnType<typeof finder>['visitor']) => unknown): string[] => {
    const { visitor, members } = finder(new Set([PATH]));
    visit(visitor);
    return [...members];
  };

  test('an object with both paths as keys', () => {
    const json = { both: { [PATH]: 1, [NEW]: 2, also: PATH }, one: { [PATH]: 3 } };
    const kept = { both: { [PATH]: 1, [NEW]: 2, also: NEW }, one: { [NEW]: 3 } };
    const route = mockRoute().parse({
      name: 'One',
      request: { url: 'http://a/' },
      answer: { body: { kind: 'json', json } },
    });
    const renamed = inMock(route, change);
    expect(renamed.answer.body).toMatchObject({ json: kept });
    expect(membersOf((visitor) => inMock(renamed, visitor))).toEqual(['answer.body']);
  });

  test('JSON as text with both paths as keys', () => {
    const both = JSON.stringify([{ [PATH]: 1, [NEW]: 2 }]);
    expect(inContexts(contexts(both), change)).toEqual(contexts(both));
    expect(membersOf((visitor) => inContexts(contexts(both), visitor))).toContain('current');
    const apart = JSON.stringify([{ [PATH]: 1 }, { [NEW]: 2 }]);
    expect(inContexts(contexts(apart), change).current?.valueText).toBe(JSON.stringify([{ [NEW]: 1 }, { [NEW]: 2 }]));
  });

  test('a fixture next to one for the new path in the same scope', () => {
    const given = scriptTestText().parse({
      name: 'One',
      tags: [
        { tag: PATH, value: 1 },
        { tag: NEW, value: 2 },
        { tag: PATH, value: 3, diagram: 'Other' },
      ],
      expect: {},
    });
    const renamed = inTest(given, change);
    expect(renamed.tags.map(({ tag, value, diagram }) => [tag, value, diagram])).toEqual([
      [PATH, 1, ''],
      [NEW, 2, ''],
      [NEW, 3, 'Other'],
    ]);
    expect(membersOf((visitor) => inTest(renamed, visitor))).toEqual(['tags']);
  });

  test('keys of an object in an expression', () => {
    const code = `({ '${PATH}': tag('${PATH}'), '${NEW}': 2 })`;
    expect(change.code(code, '')).toBe(`({ '${PATH}': tag('${NEW}'), '${NEW}': 2 })`);
    expect(change.code(`({ '${PATH}': '${NEW}' })`, '')).toBe(`({ '${NEW}': '${NEW}' })`);
  });
});
