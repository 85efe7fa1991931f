import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scriptTestsFile, scriptTestText } from '#contract/texts/script-test-text';
import { compactTest } from '#domain/run/script-test';
import {
  formOfTest,
  newEvent,
  newFixture,
  newMock,
  newWrite,
  testOfForm,
  testOfJson,
} from '../../../../../src-renderer/features/scripts/tests/test-form.ts';

const parsed = (given: object) => {
  const { name: _name, ...rest } = scriptTestText().parse({ name: 'one', ...given });
  return rest;
};
const EVERYTHING = {
  context: { tagName: 'A.B.C', tagScopeDiagram: 'D', tagScopeLocation: 'W', tagValue: [{ id: 1 }] },
  tags: [
    { tag: 'A.B.C', value: 1.5 },
    { tag: 'A.B.D', value: null, quality: 'BadTimeout', diagram: 'D', location: 'W' },
  ],
  mocks: [
    {
      name: 'm',
      priority: 7,
      request: { method: 'POST', url: 'https://a.example/**', headers: [['X', '*']] },
      answer: { status: 201, body: { kind: 'json', json: { a: 1 } } },
    },
    { name: 'f', request: { url: 'https://b.example/' }, answer: { body: { kind: 'file', file: 'a.png' } } },
  ],
  expect: {
    status: 'error',
    error: 'no',
    result: { a: [1, 2] },
    writes: [{ tag: 'A.B.C', value: 'x' }, { tag: 'A.B.D' }],
    events: [{ rule: 'Alarms', count: 2 }],
  },
};

describe('the form of a test', () => {
  test.each([{}, { expect: { writes: [], events: [] } }, { context: { tagValue: 5 } }, EVERYTHING])(
    'shows a test and returns it unchanged: %#',
    (given) => {
      const one = parsed(given);
      expect(testOfForm(formOfTest(one))).toEqual({ test: one });
    },
  );

  test('the tests of the sample are unchanged, also as JSON', () => {
    const folder = resolve(import.meta.dirname, '../../../../../resources/sample/bottling/scripts');
    const files = readdirSync(folder).filter((name) => name.endsWith('.tests.json'));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      for (const given of scriptTestsFile().parse(JSON.parse(readFileSync(join(folder, file), 'utf8')))) {
        const { name: _name, ...one } = given;
        expect(testOfForm(formOfTest(one))).toEqual({ test: one });
        const { name: _same, ...compact } = compactTest(given);
        expect(testOfJson(JSON.stringify(compact))).toEqual(one);
      }
    }
  });

  test('omitted members of JSON get their defaults', () => {
    expect(testOfJson('{}')).toEqual(parsed({}));
    expect(testOfJson(JSON.stringify(EVERYTHING))).toEqual(parsed(EVERYTHING));
    for (const [text, problem] of [
      ['[]', 'must be an object'],
      ['{"tags": {}}', '"tags" must be a list'],
      ['{"tags": [1]}', 'must be an object'],
      ['{"expects": {}}', 'has no member "expects"'],
      ['{"expect": {"results": 1}}', '"expect" has no member "results"'],
    ] as const) {
      expect(() => testOfJson(text)).toThrow(problem);
    }
  });

  test('each invalid field has a problem', () => {
    const [fixture, write, event, mock] = [newFixture(), newWrite(), newEvent(), newMock()];
    const form = {
      ...formOfTest(parsed({})),
      tags: [{ ...fixture, quality: 'Fine', value: '{' }],
      writes: [{ ...write, value: 'x' }],
      events: [{ ...event, count: '1.5' }],
      mocks: [{ ...mock, method: 'PATCH', status: '99' }],
      result: '',
    };
    const made = testOfForm(form);
    expect('problems' in made && [...made.problems.keys()].toSorted()).toEqual(
      [
        `events.${event.key}.count`,
        `events.${event.key}.rule`,
        `mocks.${mock.key}.method`,
        `mocks.${mock.key}.name`,
        `mocks.${mock.key}.status`,
        `mocks.${mock.key}.url`,
        'result',
        `tags.${fixture.key}.quality`,
        `tags.${fixture.key}.tag`,
        `tags.${fixture.key}.value`,
        `writes.${write.key}.tag`,
        `writes.${write.key}.value`,
      ].toSorted(),
    );
  });

  test('qualities and methods have any case; a write may have no value', () => {
    const form = {
      ...formOfTest(parsed({})),
      tags: [{ ...newFixture(), tag: ' A.B.C ', value: '1', quality: 'badtimeout' }],
      writes: [{ ...newWrite(), tag: 'A.B.C' }],
      mocks: [{ ...newMock(), name: 'm', url: 'https://a.example', method: 'post', body: '{"a":1}' }],
    };
    expect(testOfForm(form)).toMatchObject({
      test: {
        tags: [{ tag: 'A.B.C', quality: 'BadTimeout' }],
        mocks: [{ request: { method: 'POST' }, answer: { body: { kind: 'json', json: { a: 1 } } } }],
        expect: { writes: [{ tag: 'A.B.C', diagram: '', location: '' }] },
      },
    });
  });
});
