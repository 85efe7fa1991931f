import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ScriptHostPool } from '../../../../src-main/scripting/sandbox/supervisor/script-host-pool.ts';
import { realPool, runScript } from '../../../support/scripting/script-runs.ts';

const NAMES = ['atob', 'btoa', 'TextEncoder', 'TextDecoder', 'URL', 'URLSearchParams', 'structuredClone', 'crypto'];

/** tests/unit/scripting/sandbox/standard-globals.test.ts compares what they do with Node. */
describe('standard globals in a script host', () => {
  let pool: ScriptHostPool;

  beforeAll(() => {
    pool = realPool();
    pool.start();
  });
  afterAll(() => pool.close());

  const resultOf = async (body: string): Promise<unknown> => {
    const { error, result } = await runScript(pool, body);
    expect(error).toBeNull();
    return result;
  };

  test('exist, and nothing else does', async () => {
    expect(await resultOf(`return [${NAMES.map((name) => `typeof ${name}`).join()}]`)).toEqual(
      NAMES.map((name) => (name === 'crypto' ? 'object' : 'function')),
    );
    const others = [
      'fetch',
      'setTimeout',
      'queueMicrotask',
      'DOMException',
      'Buffer',
      'performance',
      'SharedArrayBuffer',
    ];
    expect(await resultOf(`return [${others.map((name) => `typeof ${name}`).join()}]`)).toEqual(
      others.map(() => 'undefined'),
    );

    expect(await runScript(pool, 'return Url')).toMatchObject({ error: { message: 'Url is not defined', line: 1 } });
  });

  test('can be replaced by the variables of a script, and are fresh in the next run', async () => {
    expect(
      await resultOf('URL = 1; crypto = 2; var atob = 3; const btoa = 4; return [URL, crypto, atob, btoa]'),
    ).toEqual([1, 2, 3, 4]);
    const taken = 'URLSearchParams = 5; const { searchParams } = new URL("http://a/?b=1"); URL.evil = 1;';
    expect(await resultOf(`${taken} return [URLSearchParams, searchParams.get("b")]`)).toEqual([5, '1']);
    expect(await resultOf('Object.freeze(globalThis); return [btoa("a"), btoa("b")]')).toEqual(['YQ==', 'Yg==']);
    expect(await resultOf('return [URL.evil, typeof URLSearchParams]')).toEqual([null, 'function']);
  });

  test('are random: ids and bytes come from the host', async () => {
    const body = `const ids = Array.from({ length: 1000 }, () => crypto.randomUUID());
      const large = crypto.getRandomValues(new Uint32Array(16_384));
      return { ids, distinct: new Set(large).size, same: crypto.getRandomValues(new Uint8Array(0)).length }`;
    const { ids, distinct, same } = (await resultOf(body)) as { ids: string[]; distinct: number; same: number };
    expect(new Set([...ids, ...((await resultOf(body)) as { ids: string[] }).ids]).size).toBe(2_000);
    expect(ids.every((id) => /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(id))).toBe(true);
    expect(distinct).toBeGreaterThan(16_300);
    expect(same).toBe(0);
    expect(await runScript(pool, 'crypto.getRandomValues(new Uint8Array(65_537))')).toMatchObject({
      error: { name: 'QuotaExceededError', line: 1 },
    });
    expect(await runScript(pool, '\ncrypto.getRandomValues([])')).toMatchObject({
      error: { name: 'TypeMismatchError', line: 2 },
    });
  });

  test('settle promises inside the run, and report errors at their lines', async () => {
    const signs = `const bytes = (text) => new TextEncoder().encode(text);
      const key = await crypto.subtle.importKey('raw', bytes('key'), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
      return new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes('payload'))).toHex()`;
    expect(await resultOf(signs)).toBe('5d98b45c90a207fa998ce639fea6f02ecc8cc3f36fef81d694fb856b4d0a28ca');
    expect(await runScript(pool, '\nawait crypto.subtle.digest("MD5", new Uint8Array(1))')).toMatchObject({
      error: {
        name: 'NotSupportedError',
        message: 'the algorithm MD5 is not available in scripts; use SHA-1, SHA-256, SHA-384, SHA-512',
        line: 2,
      },
    });
    expect(await runScript(pool, '\n\natob("*")')).toMatchObject({ error: { name: 'InvalidCharacterError', line: 3 } });
    expect(await runScript(pool, '\nnew URL("x")')).toMatchObject({ error: { name: 'TypeError', line: 2 } });
    expect(await runScript(pool, 'structuredClone(() => 1)')).toMatchObject({ error: { name: 'DataCloneError' } });
    expect(await runScript(pool, 'new TextDecoder("gbk")')).toMatchObject({ error: { name: 'RangeError', line: 1 } });
  });

  test('have a form in results and in the console', async () => {
    expect(await resultOf('return { url: new URL("http://a/b?c=1"), bytes: new TextEncoder().encode("é") }')).toEqual({
      url: 'http://a/b?c=1',
      bytes: 'w6k=',
    });
    expect(await runScript(pool, 'return { params: new URLSearchParams("a=1") }')).toMatchObject({
      error: { message: 'the result.params is a URLSearchParams; use params.toString() or Object.fromEntries(params)' },
    });
    const { console } = await runScript(pool, 'console.log(new URL("http://a/b"), new URLSearchParams("a=1"), URL)');
    expect(console.map(({ text }) => text)).toEqual(["URL 'http://a/b' URLSearchParams 'a=1' [Function: URL]"]);
  });

  test('are bound by the limits of the run, and leave the host to others', async () => {
    const limits = { scriptMs: 200 };
    const endless = 'for (;;) await crypto.subtle.digest("SHA-512", new Uint8Array(1e6))';
    expect(await runScript(pool, endless, { limits })).toMatchObject({ status: 'timeout' });
    expect(await runScript(pool, 'for (;;) crypto.getRandomValues(new Uint8Array(65_536))', { limits })).toMatchObject({
      status: 'timeout',
    });
    const large = 'const a = []; for (;;) a.push(structuredClone(new Uint8Array(1e6).fill(1)))';
    expect((await runScript(pool, large, { limits: { scriptMs: 5_000 } })).status).toMatch(/memory|error/);
    expect(await resultOf('return new URL("http://a").href')).toBe('http://a/');
  });
});
