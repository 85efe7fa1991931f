import { fc } from '../../../../support/run/random.ts';
import { describe, expect, test } from 'vitest';
import { mockRoute } from '#contract/texts/mock-route';
import { type Mock, routeOf } from '#domain/mock/mock';
import { placedIssues, visibleIssues } from '../../../../../src-renderer/features/mocks/model/issues.ts';
import { NEW_ANSWER, answerOfField } from '../../../../../src-renderer/features/mocks/model/answer-form.ts';
import type { MockForm } from '../../../../../src-renderer/features/mocks/model/mock-form.ts';
import { formOf, newForm, readForm, equalsSaved } from '../../../../../src-renderer/features/mocks/model/mock-form.ts';
import { moved } from '../../../../../src-renderer/features/mocks/model/mocks-model.ts';
import { headersOf, trialOf } from '../../../../../src-renderer/features/mocks/model/trial.ts';

const mockOf = (given: object, id = 1): Mock => ({
  ...mockRoute().parse({ name: 'A', request: { url: 'https://a.example/' }, ...given }),
  id,
  hits: 0,
  lastHitAt: null,
  position: 0,
});

describe('the form of a mock', () => {
  test.each<[string, object]>([
    ['JSON', { answer: { body: { kind: 'json', json: { a: [1, null] } }, template: true, delayMs: 5 } }],
    ['text', { answer: { body: { kind: 'text', text: ' a\n' }, headers: [['X-A', '1']] } }],
    ['binary', { answer: { body: { kind: 'base64', base64: 'AAE=' } } }],
    ['a file', { answer: { body: { kind: 'file', file: 'a.png' } } }],
    ['several responses', { answer: { status: 500 }, sequence: { answers: [{ status: 200 }], end: 'restart' } }],
    ['a folder', { folder: 'ERP/Orders' }],
    ['a fault', { answer: { fault: 'reset' }, enabled: false, priority: -3 }],
    [
      'a text in the body',
      { request: { url: '//a/', method: 'PUT', headers: [['A', '*']], body: { contains: ' x ' } } },
    ],
    ['members of the body', { request: { url: '//a/', body: { json: { line: 7 } } } }],
  ])('represents a mock of %s', (_what, given) => {
    const mock = mockOf(given);
    expect(readForm(formOf(mock))).toMatchObject({ route: routeOf(mock), issues: new Map() });
    expect(equalsSaved(formOf(mock), mock)).toBe(true);
    expect(equalsSaved({ ...formOf(mock), name: 'B' }, mock)).toBe(false);
  });

  test('shows invalid input at its field, and has a substitute for checking', () => {
    const { issues, route } = readForm({
      ...newForm(),
      priority: '1.5',
      match: 'json',
      matchJson: '{',
      status: 'ok',
      delay: '',
      json: '[1,]',
    });
    expect([...issues.keys()].toSorted()).toEqual([
      'answer.body',
      'answer.delayMs',
      'answer.status',
      'name',
      'priority',
      'request.body',
    ]);
    expect(mockRoute().safeParse({ ...route, request: { ...route.request, url: '//a' } }).success).toBe(true);
    expect(readForm({ ...newForm(), body: 'base64', base64: 'A' }).issues.has('answer.body')).toBe(true);
    expect(visibleIssues(new Map([['name', 'no']]), newForm(), false).size).toBe(0);
    expect(visibleIssues(new Map([['name', 'no']]), newForm(), true).size).toBe(1);
  });

  test('has no folder that no mock can be in', () => {
    expect(readForm({ ...newForm(' ERP / / Orders/ '), name: 'A' }).route.folder).toBe('ERP/Orders');
    expect('folder' in readForm({ ...newForm(' / '), name: 'A' }).route).toBe(false);
    const { route, issues } = readForm({ ...newForm('a/'.repeat(11)), name: 'A' });
    expect([issues.get('folder'), 'folder' in route]).toEqual(['At most 10 levels of folders.', false]);
  });

  test('shows an issue of main at its header line', () => {
    const form = {
      ...newForm(),
      answerHeaders: [
        { key: 3, name: '', value: '' },
        { key: 7, name: 'bad name', value: '' },
      ],
    };
    const issues = [
      { path: ['answer', 'headers', 0, 0], message: 'expected the name of a header' },
      { path: ['answer', 'body', 'file'], message: 'there is no file' },
    ];
    const placed = placedIssues({ issues }, readForm({ ...form, name: 'A' }));
    expect([...placed]).toEqual([
      ['answer.headers.7', 'Expected the name of a header.'],
      ['answer.body', 'There is no file.'],
    ]);
  });

  test('shows an issue of a later response there', () => {
    const form: MockForm = { ...newForm(), name: 'A', more: [{ ...NEW_ANSWER, status: 'x', body: 'file' }] };
    const issues = [{ path: ['sequence', 'answers', 0, 'body', 'file'], message: 'there is no file' }];
    const placed = placedIssues({ issues }, readForm(form));
    expect([...placed.keys()]).toEqual(['sequence.answers.0.status', 'sequence.answers.0.body']);
    expect([...visibleIssues(placed, form, false).keys()]).toEqual(['sequence.answers.0.status']);
    expect([...placed.keys(), 'answer.body'].map(answerOfField)).toEqual([1, 1, 0]);
  });
});

test('a moved mock is one position further, and the others keep their order', () => {
  const ordered = (mocks: readonly Mock[]) => mocks.toSorted((a, b) => b.priority - a.priority || a.id - b.id);
  const priorities = fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(priorities, fc.nat(7), fc.constantFrom(-1 as const, 1 as const), (given, place, by) => {
      const before = ordered(given.map((priority, index) => mockOf({ priority }, index + 1)));
      const from = place % before.length;
      const id = before[from]?.id ?? 0;
      const changes = new Map(moved(before, id, by).map((one) => [one.id, one.priority]));
      const after = ordered(before.map((one) => ({ ...one, priority: changes.get(one.id) ?? one.priority })));
      const wanted = before.map((one) => one.id);
      const to = Math.min(before.length - 1, Math.max(0, from + by));
      wanted.splice(from, 1);
      wanted.splice(to, 0, id);
      expect(after.map((one) => one.id)).toEqual(wanted);
    }),
  );
});

test('a moved mock passes only mocks of its folder', () => {
  const inFolder = { folder: 'A' };
  const mocks = [mockOf(inFolder, 1), mockOf({}, 2), mockOf({ folder: 'A/B' }, 3), mockOf(inFolder, 4)];
  const order = (changes: ReturnType<typeof moved>) => {
    const priorities = new Map(changes.map((one) => [one.id, one.priority]));
    return mocks
      .map(({ id, priority }) => ({ id, priority: priorities.get(id) ?? priority }))
      .toSorted((a, b) => b.priority - a.priority || a.id - b.id)
      .map(({ id }) => id);
  };
  expect(order(moved(mocks, 1, 1))).toEqual([2, 3, 4, 1]);
  expect(order(moved(mocks, 4, -1))).toEqual([4, 1, 2, 3]);
  expect([moved(mocks, 2, 1), moved(mocks, 3, -1), moved(mocks, 1, -1)]).toEqual([[], [], []]);
});

test('a request to try is derived from the pattern; headers are one per line', () => {
  const form = formOf(
    mockOf({
      request: {
        method: 'ANY',
        url: '//a.example/{id}/**/v*?q=*',
        headers: [['Authorization', 'Bearer *']],
        body: { contains: 'a' },
      },
    }),
  );
  expect(trialOf(form)).toEqual({
    method: 'GET',
    url: 'https://a.example/1/x/vx?q=x',
    headers: 'Authorization: Bearer x',
    body: 'a',
  });
  expect(headersOf('A: 1:2\n\n B')).toEqual([
    ['A', '1:2'],
    ['B', ''],
  ]);
});
