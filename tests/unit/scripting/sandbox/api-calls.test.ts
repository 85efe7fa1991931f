import { afterEach, describe, expect, test } from 'vitest';
import type { ApiResponse, ApiArgument } from '#domain/mock/api-call';
import type { ScriptHostPool } from '../../../../src-main/scripting/sandbox/supervisor/script-host-pool.ts';
import { jobOf, PLAIN_CALLS, realPool } from '../../../support/scripting/script-runs.ts';

const OK: ApiResponse = { success: true, statusCode: '200', errorMessage: null, responseObject: '{"a":1}' };
const pools: ScriptHostPool[] = [];

function poolOf(...options: Parameters<typeof realPool>): ScriptHostPool {
  const pool = realPool(...options);
  pools.push(pool);
  return pool;
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

describe('an API call of a script', () => {
  test('calls main with method, arguments and line, and can be read in both casings', async () => {
    const requests: unknown[] = [];
    const api = (operation: string, args: ApiArgument[], line: number | null) => {
      requests.push([operation, args, line]);
      return Promise.resolve(OK);
    };
    const body = `
      const r = ApiValueManager.Fetch('http://x/', 'get', null, undefined, [1]);
      return [r, r.success, r.statusCode, r.errorMessage, r.responseObject];`;
    const outcome = await poolOf().run(jobOf(body, { calls: { ...PLAIN_CALLS, api } }));
    expect(outcome.result).toEqual([
      { Success: true, StatusCode: '200', ErrorMessage: null, ResponseObject: '{"a":1}' },
      true,
      '200',
      null,
      '{"a":1}',
    ]);
    expect(requests).toEqual([['Fetch', ['http://x/', 'get', null, null, { not: 'an array' }], 2]]);
  });

  test('has the headers of the response, which are not part of its JSON', async () => {
    const responseHeaders = { 'content-type': 'text/plain', ['__proto__']: 'x' };
    const api = async () => ({ ...OK, responseHeaders });
    const body = `
      const r = ApiValueManager.Fetch('http://x/', 'get');
      const given = [r.ResponseHeaders['content-type'], r.responseHeaders === r.ResponseHeaders, Object.keys(r.ResponseHeaders).length];
      r.responseHeaders = { mine: 1 };
      return [...given, r.ResponseHeaders, Object.keys(r), JSON.stringify(r)];`;
    const outcome = await poolOf().run(jobOf(body, { calls: { ...PLAIN_CALLS, api } }));
    expect(outcome.result).toEqual([
      'text/plain',
      true,
      2,
      { mine: 1 },
      ['Success', 'StatusCode', 'ErrorMessage', 'ResponseObject'],
      '{"Success":true,"StatusCode":"200","ErrorMessage":null,"ResponseObject":"{\\"a\\":1}"}',
    ]);
    const none = 'return ApiValueManager.Fetch("http://x/", "get").ResponseHeaders';
    const failed = async () => ({ success: false, statusCode: '0', errorMessage: '{}', responseObject: null });
    const ended = await poolOf().run(jobOf(none, { calls: { ...PLAIN_CALLS, api: failed } }));
    expect(ended.result).toEqual({});
  });

  test('of an image has its bytes and its Base64, also as JSON', async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 251);
    const api = async () => ({ ...OK, responseObject: null, image: bytes });
    const body = `
      const r = ApiValueManager.GetImage('http://x/');
      const copy = JSON.parse(JSON.stringify(r));
      const { Base64Image, ImageData } = JSON.parse(r.ResponseObject);
      return [Object.keys(r), copy.ResponseObject === r.responseObject, Base64Image, ImageData];`;
    const calls = { ...PLAIN_CALLS, api };
    const outcome = await poolOf().run(jobOf(body, { calls, limits: { resultBytes: 4e6 } }));
    expect(outcome.result).toEqual([
      ['Success', 'StatusCode', 'ErrorMessage', 'ResponseObject'],
      true,
      Buffer.from(bytes).toString('base64'),
      [...bytes],
    ]);
  });

  test('many images one by one take the memory of one; keeping too many ends the run', async () => {
    const image = Buffer.alloc(4_000_000, 'image');
    const calls = { ...PLAIN_CALLS, api: async () => ({ ...OK, responseObject: null, image }) };
    const pool = poolOf({ count: 1 });
    const limits = { memoryMb: 64, scriptMs: 20_000 };
    const dropped = `let ok = 0;
      for (let i = 0; i < 60; i += 1) if (ApiValueManager.GetImage('http://x/').Success) ok += 1;
      return ok;`;
    expect(await pool.run(jobOf(dropped, { calls, limits }))).toMatchObject({ status: 'ok', result: 60 });
    const kept = `const all = []; for (let i = 0; i < 200; i += 1) all.push(ApiValueManager.GetImage('http://x/')); return 1`;
    expect((await pool.run(jobOf(kept, { calls, limits }))).status).toBe('memory');
    const again = `return ApiValueManager.GetImage('http://x/').Success`;
    expect(await pool.run(jobOf(again, { calls, limits }))).toMatchObject({ status: 'ok', result: true });
  });

  test.each([
    ['utf-8', Buffer.from('\ufeffgrün €😀 "quoted"\n\u2028')],
    ['utf-8', Buffer.from([0x61, 0xff, 0xc3, 0x62, 0xe2, 0x82])],
    ['windows-1252', Buffer.from([0x80, 0x20, 0x93, 0x81])],
    ['utf-16le', Buffer.from('\ufeffgrün \ud800', 'utf16le')],
    ['utf-8', Buffer.alloc(0)],
  ])('of a long text in %s is decoded in the host', async (charset, bytes) => {
    const calls = { ...PLAIN_CALLS, api: () => ({ ...OK, responseObject: null, text: { bytes, charset } }) };
    const body = `
      const r = ApiValueManager.Fetch('http://x/', 'get');
      return [Object.keys(r), r.ResponseObject, r.responseObject === r.ResponseObject, JSON.parse(JSON.stringify(r)).ResponseObject];`;
    const text = new TextDecoder(charset).decode(bytes);
    const outcome = await poolOf().run(jobOf(body, { calls }));
    // A result is well-formed.
    expect(outcome.result).toEqual([['Success', 'StatusCode', 'ErrorMessage', 'ResponseObject'], text, true, text]);
  });

  test('of an empty image has no bytes', async () => {
    const calls = { ...PLAIN_CALLS, api: () => ({ ...OK, responseObject: null, image: new Uint8Array() }) };
    const outcome = await poolOf().run(jobOf(`return ApiValueManager.GetImage('http://x/').ResponseObject`, { calls }));
    expect(outcome.result).toBe('{"Base64Image":"","ImageData":[]}');
  });

  test('with arguments that are too large gets an error response, without a call', async () => {
    const calls = { ...PLAIN_CALLS, api: () => OK };
    const body = `const r = ApiValueManager.Fetch('http://x/', 'post', 'x'.repeat(70e6)); return r`;
    const outcome = await poolOf().run(jobOf(body, { calls, limits: { memoryMb: 256 } }));
    expect(outcome.result).toMatchObject({
      Success: false,
      StatusCode: '0',
      ErrorMessage: expect.stringContaining('InvalidArgument'),
    });
  });

  test('uses no script time, and ends when the run is cancelled', async () => {
    const stop = new AbortController();
    const api = () => {
      setTimeout(() => stop.abort(), 1_000);
      return new Promise<ApiResponse>(() => undefined);
    };
    const calls = { ...PLAIN_CALLS, api };
    const outcome = await poolOf().run(
      jobOf(`ApiValueManager.Fetch('http://x/', 'get')`, { calls, signal: stop.signal, limits: { scriptMs: 500 } }),
    );
    expect(outcome.status).toBe('cancelled');
    expect(outcome.timing.hostCallMs).toBeGreaterThan(900);
  });

  test('throws if API calls are not allowed', async () => {
    const outcome = await poolOf().run(jobOf(`ApiValueManager.Fetch('http://x/', 'get')`));
    expect(outcome.error?.message).toContain('a calculation cannot call APIs');
  });
});

describe('scripts that wait for the network', () => {
  test('release their places to others, up to the limit', async () => {
    const pool = poolOf({ count: 1, waiting: 2 });
    const responses: ((response: ApiResponse) => void)[] = [];
    const calls = { ...PLAIN_CALLS, api: () => new Promise<ApiResponse>((resolve) => responses.push(resolve)) };
    const waiting = Array.from({ length: 3 }, (_, index) =>
      pool.run(jobOf(`return ApiValueManager.Fetch('http://x/${index}', 'get').Success`, { calls })),
    );
    await expect.poll(() => responses.length).toBe(2);
    await expect.poll(() => pool.status()).toMatchObject({ busy: 2, waiting: 2, queued: 1, held: 1 });

    // The third would wait, too, and so keeps the only place free for others.
    expect((await pool.run(jobOf('return 1'))).result).toBe(1);
    responses[0]?.(OK);
    await expect.poll(() => responses.length).toBe(3);
    responses[1]?.(OK);
    responses[2]?.(OK);
    expect((await Promise.all(waiting)).map(({ result }) => result)).toEqual([true, true, true]);
    expect(pool.status().waiting).toBeUndefined();
    expect((await pool.run(jobOf('return 2'))).result).toBe(2);
  });

  test('also release their places when the limit is raised, or another one resumes', async () => {
    const pool = poolOf({ count: 1, waiting: 0 });
    const responses: ((response: ApiResponse) => void)[] = [];
    const calls = { ...PLAIN_CALLS, api: () => new Promise<ApiResponse>((resolve) => responses.push(resolve)) };
    const wait = (path: string) =>
      pool.run(jobOf(`return ApiValueManager.Fetch('http://x/${path}', 'get').Success`, { calls }));
    const first = wait('first');
    await expect.poll(() => responses.length).toBe(1);
    const next = pool.run(jobOf('return 1'));
    expect(pool.status().queued).toBe(1);
    pool.resize(1, 1);
    expect((await next).result).toBe(1);

    // The first has released its place; the second is held back until it continues.
    const second = wait('second');
    const last = pool.run(jobOf('return 2'));
    expect((await last).result).toBe(2);
    responses[0]?.(OK);
    expect((await first).result).toBe(true);
    await expect.poll(() => responses.length).toBe(2);
    expect(pool.status().waiting).toBe(1);
    responses[1]?.(OK);
    expect((await second).result).toBe(true);
    expect((await pool.run(jobOf('return 3'))).result).toBe(3);
  });

  test('do not delay a script without calls', async () => {
    const pool = poolOf({ count: 1 });
    const calls = { ...PLAIN_CALLS, api: () => new Promise<ApiResponse>(() => undefined) };
    const stop = new AbortController();
    const waiting = Array.from({ length: 4 }, () =>
      pool.run(jobOf(`ApiValueManager.Fetch('http://x/', 'get')`, { calls, signal: stop.signal })),
    );
    await expect.poll(() => pool.status().waiting).toBe(4);
    // Otherwise it would wait for them without need.
    expect((await pool.run(jobOf('return 1'))).result).toBe(1);
    stop.abort();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(4).fill('cancelled'));
  });
});
