import { describe, expect, test } from 'vitest';
import type { ApiExchange } from '#domain/mock/api-call';
import type { Capsule, RecordedCall, RecordedResponse } from '#domain/run/capsule';
import { type FailureKind, FAILURES } from '#domain/run/failures';
import { capsuleWith, failuresOf, sitesOf } from '../../../../src-main/scripting/failures/failed-calls.ts';
import { capsuleOf, getOf, nestedOf, reportOf, setOf, value } from '../capsules/capsule-of.ts';

const EXCHANGE: ApiExchange = {
  operation: 'Fetch',
  method: 'GET',
  url: 'https://erp.test:8443/orders',
  statusCode: '200',
  ms: 1,
  source: 'live',
  mock: null,
  error: null,
  request: { headers: [], body: null, bytes: 0 },
  response: null,
};

function apiOf(changes: Partial<RecordedResponse>, operation: ApiExchange['operation'] = 'Fetch'): RecordedCall {
  const response = { success: true, statusCode: '200', errorMessage: null, responseObject: '{"a":1}', ...changes };
  const exchange = { ...EXCHANGE, statusCode: response.statusCode, operation };
  return { kind: 'api', call: 1, line: 1, clock: 0, operation, args: ['https://erp.test'], response, exchange };
}

/** The call with a failure; undefined if it cannot have it. */
function failed(call: RecordedCall, failure: FailureKind, changes: Partial<Capsule> = {}): RecordedCall | undefined {
  const capsule = capsuleOf([call], changes);
  const [site] = sitesOf(capsule).sites;
  return site && capsuleWith(capsule, site, failure)?.calls[0];
}

const possible = (call: RecordedCall, changes: Partial<Capsule> = {}): FailureKind[] => {
  const capsule = capsuleOf([call], changes);
  const [site] = sitesOf(capsule).sites;
  return site ? failuresOf(capsule, site) : [];
};

describe('call sites', () => {
  test('are the tags of each Get, each Set and each API call', () => {
    const capsule = capsuleOf([getOf(value('A', 1), value('B', 2), value('A', 1)), setOf('C', 3), apiOf({})]);
    const { sites, more } = sitesOf(capsule);
    expect(sites.map(({ access, name, at }) => [access, name, at])).toEqual([
      ['read', 'A', 0],
      ['read', 'B', 0],
      ['write', 'C', 1],
      ['call', 'Fetch', 2],
    ]);
    expect(more).toBe(0);
  });

  test('a Get of many tags is one site, whose tags fail together', () => {
    const values = Array.from({ length: 21 }, (_, index) => value(`T${index}`, index));
    const { sites } = sitesOf(capsuleOf([getOf(...values)]));
    expect(sites).toMatchObject([{ text: 'Get "T0" and 20 more' }]);
    const call = failed(getOf(...values), 'bad-quality');
    expect(call).toMatchObject({ values: values.map(({ path }) => ({ path, quality: 'BadNotConnected' })) });
  });

  test('are none for calls that failed, or had no answer', () => {
    const { values: _, ...get } = getOf(value('A', 1)) as Extract<RecordedCall, { kind: 'get' }>;
    const { written: __, ...set } = setOf('B', 1) as Extract<RecordedCall, { kind: 'set' }>;
    const { response: ___, ...api } = apiOf({}) as Extract<RecordedCall, { kind: 'api' }>;
    expect(sitesOf(capsuleOf([get, set, api])).sites).toEqual([]);
  });

  const atLine = (line: number | null, call: RecordedCall): RecordedCall => ({ ...call, line });

  test('are 1,000 at most', () => {
    const calls = Array.from({ length: 1_003 }, () => getOf(value('A', 1)));
    const { sites, more, groups } = sitesOf(capsuleOf(calls), true);
    expect([sites.length, more, groups]).toEqual([1_000, 3, null]);
    expect(sitesOf(capsuleOf(calls.slice(3)))).toMatchObject({ more: 0, groups: null });
  });

  test('of more than 1,000 calls are three of each line with the same arguments', () => {
    const calls = Array.from({ length: 1_002 }, (_, nth) => [
      atLine(1, getOf(value(nth % 2 ? 'A' : 'B', 1))),
      // Another value each time.
      atLine(2, setOf('C', nth)),
    ]).flat();
    calls.push(atLine(3, getOf(value('A', 1))));
    const { sites, more, groups } = sitesOf(capsuleOf(calls));
    expect(groups).toBe(4);
    expect(sites.map(({ line, name, at, nth }) => [line, name, at, nth])).toEqual([
      [1, 'B', 0, 1],
      [2, 'C', 1, 1],
      [1, 'A', 2, 2],
      [1, 'B', 1_000, 501],
      [1, 'A', 1_002, 502],
      [2, 'C', 1_003, 502],
      [1, 'B', 2_000, 1_001],
      [1, 'A', 2_002, 1_002],
      [2, 'C', 2_003, 1_002],
      [3, 'A', 2_004, 1],
    ]);
    expect(more).toBe(2_005 - 10);
  });

  test('of lines that are not known are those with the same arguments', () => {
    const calls = Array.from({ length: 3_000 }, (_, nth) => atLine(null, getOf(value(`T${nth % 500}`, 1))));
    const { sites, more, groups } = sitesOf(capsuleOf(calls));
    expect([sites.length, more, groups]).toEqual([1_000, 2_000, 500]);
  });
});

describe('failures of a read', () => {
  const read = { ...value('A', 7), changedAt: '2026-03-02T10:00:00.000Z' };

  test('have the values that a tag would have', () => {
    const of = (failure: FailureKind) =>
      (failed(getOf(read), failure) as { values?: unknown[] } | undefined)?.values?.[0];
    expect(of('missing-tag')).toEqual({ path: 'A', value: null, quality: 'BadNodeIdUnknown', type: 'Unknown' });
    expect(of('bad-quality')).toMatchObject({ value: null, quality: 'BadNotConnected', type: 'Int' });
    expect(of('uncertain-quality')).toMatchObject({ value: 7, quality: 'UncertainSensorNotAccurate' });
    expect(of('wrong-type')).toMatchObject({ value: 'n/a', type: 'String', quality: 'Good' });
    expect(of('stale-value')).toMatchObject({
      value: 7,
      quality: 'UncertainLastUsableValue',
      changedAt: '2026-03-01T10:00:00.000Z',
    });
  });

  test('change only the tag of the site', () => {
    const capsule = capsuleOf([getOf(value('A', 1), value('B', 2))]);
    const [, second] = sitesOf(capsule).sites;
    const call = second && capsuleWith(capsule, second, 'bad-quality')?.calls[0];
    expect(call).toMatchObject({ values: [value('A', 1), { path: 'B', value: null }] });
  });

  test('depend on the value', () => {
    const usual: FailureKind[] = ['missing-tag', 'bad-quality', 'uncertain-quality', 'wrong-type'];
    expect(possible(getOf(value('A', 1)))).toEqual([...usual, 'stale-value']);
    expect(possible(getOf(value('A', [1])))).toEqual([...usual, 'empty-array', 'stale-value']);
    expect(possible(getOf({ ...value('A', null), quality: 'BadNodeIdUnknown', type: 'Unknown' }))).toEqual([]);
    expect(possible(getOf({ ...value('A', null), quality: 'BadTimeout' }))).toEqual(['missing-tag']);
  });
});

describe('failures of a Set', () => {
  test('name the item, and no script of a tag runs for it', () => {
    const set = setOf('A', 1);
    const nested = { ...nestedOf(set.call, 'A', ['B']), access: 'write' as const };
    const changes = { report: reportOf({ nested: [nested] }) };
    expect(possible(set)).toEqual(['set-rejected']);
    expect(possible(set, changes)).toEqual(['set-rejected', 'nested-set-failed']);
    expect(failed(set, 'set-rejected')).toMatchObject({
      error: {
        message: 'Nothing was written: 1 of 1 item rejected: "A": the device is not connected (BadNotConnected)',
        failures: [{ tag: 'A', index: 0 }],
      },
    });
    expect(failed(set, 'nested-set-failed', changes)).toMatchObject({
      error: { message: expect.stringContaining('its write script failed in line 1') },
    });
    const capsule = capsuleOf([set], changes);
    const [site] = sitesOf(capsule).sites;
    expect(site && capsuleWith(capsule, site, 'nested-set-failed')?.report.nested).toEqual([]);
  });
});

describe('failures of an API call', () => {
  test('are the statuses, no response, and other bodies', () => {
    const all = FAILURES.slice(FAILURES.indexOf('http-401'));
    expect(possible(apiOf({}, 'GetOauthToken'))).toEqual(all);
    expect(possible(apiOf({}))).toEqual(all.filter((failure) => failure !== 'malformed-token'));
    expect(possible(apiOf({ responseObject: '' }))).not.toContain('empty-body');
    const { errorMessage, statusCode } = (failed(apiOf({}), 'http-404') as { response: RecordedResponse }).response;
    expect(possible(apiOf({ success: false, statusCode, errorMessage, responseObject: null }))).not.toContain(
      'http-404',
    );
  });

  test('are responses as the script gets them', () => {
    const response = (failure: FailureKind, changes: Partial<RecordedResponse> = {}) =>
      (failed(apiOf(changes), failure) as { response?: RecordedResponse } | undefined)?.response;
    expect(response('http-429')).toMatchObject({
      success: false,
      statusCode: '429',
      responseObject: null,
      responseHeaders: { 'retry-after': '60' },
    });
    expect(JSON.parse(response('timeout')?.errorMessage ?? '')).toEqual({
      error: 'Timeout',
      message: 'erp.test:8443 did not respond in time',
    });
    expect(response('truncated-body')).toMatchObject({ success: true, responseObject: '{"a' });
    expect(response('html-body')?.responseObject).toContain('<html>');
    expect(response('empty-body')).toMatchObject({ success: true, responseObject: '' });
    const image = Buffer.from([1, 2, 3, 4]).toString('base64');
    expect(Buffer.from(response('truncated-body', { image, responseObject: null })?.image ?? '', 'base64')).toEqual(
      Buffer.from([1, 2]),
    );
    expect(failed(apiOf({}), 'connection-refused')).toMatchObject({
      exchange: { statusCode: '0', error: 'ConnectionRefused' },
    });
  });
});
