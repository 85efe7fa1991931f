import { describe, expect, test } from 'vitest';
import { scriptTestText } from '#contract/texts/script-test-text';
import type { RecordedApiCall, RecordedResponse } from '#domain/run/capsule';
import { testOfCapsule } from '#domain/run/capsule-test';
import { compactTest } from '#domain/run/script-test';
import { capsuleOf, getOf, nestedOf, reportOf, setOf, value } from '../../scripting/capsules/capsule-of.ts';

const message = { headers: [], body: null, bytes: 0 };

function apiOf(
  url: string,
  payload: string | null,
  response: Partial<RecordedResponse>,
  error: string | null = null,
): RecordedApiCall {
  const answer = { success: true, statusCode: '200', errorMessage: null, responseObject: null, ...response };
  return {
    kind: 'api',
    call: 1,
    line: 1,
    clock: 0,
    operation: 'Fetch',
    args: [url, 'post', payload],
    response: answer,
    exchange: {
      operation: 'Fetch',
      method: 'POST',
      url,
      statusCode: answer.statusCode,
      ms: 1,
      source: 'live',
      mock: null,
      error,
      request: message,
      response: { ...message, body: 'the error page' },
    },
  };
}

describe('the test of a capsule', () => {
  test('has mocks for its API calls: one for each request, with the responses in order', () => {
    const { test: own, lost } = testOfCapsule(
      'a',
      capsuleOf([
        apiOf('https://erp.test/a?key=***', '{"n":1}', {
          responseObject: '1',
          responseHeaders: { 'content-type': 'text/plain', date: 'now' },
        }),
        apiOf('https://erp.test/a?key=***', '{"n":2}', { success: false, statusCode: '404', errorMessage: '{}' }),
        apiOf('https://erp.test/a?key=***', '{"n":1}', { image: 'AQI=' }),
        apiOf('https://erp.test/b', 'x***', { success: false, statusCode: '0' }, 'ConnectionRefused'),
        apiOf('https://erp.test/c', null, { success: false, statusCode: '0' }, 'NoMock'),
        apiOf('https://erp.test/d', null, { success: false, statusCode: '0' }, 'ResponseTooLarge'),
      ]),
    );
    expect(own.mocks).toMatchObject([
      {
        name: '1 POST erp.test/a',
        request: { method: 'POST', url: 'https://erp.test/a?key=***', body: { json: { n: 1 } } },
        answer: { status: 200, headers: [['content-type', 'text/plain']], body: { kind: 'text', text: '1' } },
        sequence: { answers: [{ body: { kind: 'base64', base64: 'AQI=' } }], end: 'repeat' },
      },
      {
        request: { body: { json: { n: 2 } } },
        answer: { status: 404, body: { kind: 'text', text: 'the error page' } },
      },
      { request: { url: 'https://erp.test/b', body: null }, answer: { fault: 'refused' } },
    ]);
    expect(lost).toEqual(['the failure ResponseTooLarge of POST https://erp.test/d: no mock repeats it']);
    expect(scriptTestText().safeParse(compactTest(own)).error).toBeUndefined();
  });

  test('lists what it cannot hold', () => {
    const { lost } = testOfCapsule(
      'a',
      capsuleOf(
        [
          getOf(value('P.A.Value', 1)),
          getOf(value('P.A.Value', 2)),
          setOf('P.B.Value', 1),
          getOf(value('P.B.Value', 1)),
        ],
        {
          script: { name: null, version: null, body: ['return Math.random()'] },
          environment: { timeZone: 'UTC', locale: 'en', clock: { start: 0, steps: [[1, 0]] }, seed: '' },
          masked: { places: ['script.body'], more: 1 },
          report: reportOf({ nested: [nestedOf(1, 'P.S.Value', [])], dropped: { console: 0, reads: 7, writes: 0 } }),
        },
      ),
    );
    expect(lost).toEqual([
      'later values of P.A.Value: the test has the first one',
      '7 reads that the report does not list',
      'the time: the script reads the clock, and a test has the real one',
      'random numbers: they differ in each run of a test',
      'secrets: they are *** in 2 places',
      'the scripts of tags: their tags have fixed values in the test',
    ]);
  });

  test('has fixtures of missing tags that exist, and none of another type', () => {
    const missing = { path: 'A.B.Gone', value: null, quality: 'BadNodeIdUnknown' as const, type: 'Unknown' as const };
    const other = { ...value('A.B.Other', 'n/a'), type: 'String' as const };
    const never = { ...missing, path: 'A.B.Never' };
    const tags = ['A.B.Gone', 'A.B.Other'].map((path) => ({ path, kind: 'storage' as const, type: 'Int' as const }));
    const read = { seq: 1, call: 1, at: 0, line: 1, diagram: '', location: '' };
    const report = reportOf({ reads: [missing, other, never].map((one) => ({ ...one, ...read })) });
    const { test: own, lost } = testOfCapsule('a', capsuleOf([getOf(missing, other, never)], { tags, report }));
    expect(own.tags).toEqual([
      { tag: 'A.B.Gone', value: null, quality: 'BadNodeIdUnknown', diagram: '', location: '' },
    ]);
    expect(lost).toEqual(['values of another type: A.B.Other has its own type in the test']);
  });

  test('says that it cannot repeat a rejected write', () => {
    const { written: _, ...set } = setOf('A.B.C', 1) as Extract<ReturnType<typeof setOf>, { kind: 'set' }>;
    const { lost } = testOfCapsule('a', capsuleOf([{ ...set, error: { message: 'no' } }]));
    expect(lost).toEqual(['rejected writes: in a test, a Set fails only if its values do not fit the tags']);
  });
});
