// oxlint-disable-next-line typescript/triple-slash-reference -- a module that exists in the bundler alone
/// <reference path="../../../../src-main/scripting/sandbox/build/virtual-modules.d.ts" />
import { createHash, createHmac } from 'node:crypto';
import ivm from 'isolated-vm';
import guestSource from 'virtual:guest-source';
import { afterAll, describe, expect, test } from 'vitest';
import { HOST_GLOBAL } from '../../../../src-main/scripting/sandbox/guest/bridge.ts';
import { fc } from '../../../support/run/random.ts';

const isolate = new ivm.Isolate({ memoryLimit: 256 });
const realm = isolate.createContextSync();
realm.global.setSync(HOST_GLOBAL, new ivm.Callback(() => ''));
isolate.compileScriptSync(guestSource, { filename: 'tagwright' }).runSync(realm);
afterAll(() => isolate.dispose());

/** A function in a realm of scripts, and the same function here, where the globals are those of Node. */
interface Both {
  there: (...args: unknown[]) => unknown;
  here: (...args: unknown[]) => unknown;
}

/** The function returns what structured cloning can carry; what it throws becomes the name of the error. */
function both(body: string): Both {
  const source = `(...args) => { try { return ((...args) => { ${body} })(...args) } catch (error) { return 'threw ' + error.name } }`;
  const inRealm = realm.evalSync(source, { reference: true }) as ivm.Reference<(...args: unknown[]) => unknown>;
  return {
    there: (...args) => inRealm.applySync(undefined, args, { arguments: { copy: true }, result: { copy: true } }),
    // oxlint-disable-next-line typescript/no-implied-eval -- the text of this file, in the realm of the test
    here: new Function(`return ${source}`)() as Both['here'],
  };
}

/** Undefined, or throws with the smallest arguments for which the two differ. */
function difference(body: string, ...values: fc.Arbitrary<unknown>[]): void {
  const { there, here } = both(body);
  fc.assert(
    fc.property(fc.tuple(...values), (args) => {
      expect(there(...args)).toEqual(here(...args));
    }),
  );
}

const bytes = fc.uint8Array({ maxLength: 300 });
/** Any text, also with halves of pairs. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) }),
);
const latin = fc.string({ unit: fc.nat(0x101).map((code) => String.fromCharCode(code)) });

describe('standard globals do what those of Node do', () => {
  test('btoa and atob', () => {
    expect(difference('return btoa(args[0])', latin)).toBeUndefined();
    expect(
      difference(
        'return atob(args[0])',
        fc.oneof(
          fc.base64String(),
          fc.string({ unit: fc.constantFrom('A', 'Q', 'z', '+', '/', '=', ' ', '\n', '-', 'é') }),
        ),
      ),
    ).toBeUndefined();
    expect(difference('return [typeof btoa(), 0]')).toBeUndefined();
    expect(difference('return btoa(Symbol())')).toBeUndefined();
    expect(difference('return [btoa(args[0]), atob.name]', fc.oneof(fc.integer(), fc.constant(null)))).toBeUndefined();
  });

  test('TextEncoder', () => {
    expect(difference('return new TextEncoder().encode(args[0])', text)).toBeUndefined();
    expect(
      difference(
        'const into = new Uint8Array(args[1]); return [new TextEncoder().encodeInto(args[0], into), into]',
        text,
        fc.nat(40),
      ),
    ).toBeUndefined();
  });

  test('TextDecoder', () => {
    const labels = fc.constantFrom(
      'utf-8',
      'utf8',
      'UTF-16LE',
      'utf-16be',
      'iso-8859-2',
      'koi8-r',
      'windows-1251',
      'no',
    );
    const options = fc.record({ fatal: fc.boolean(), ignoreBOM: fc.boolean() });
    const marked = fc.oneof(
      bytes,
      bytes.map((some) => new Uint8Array([0xef, 0xbb, 0xbf, ...some])),
      text.map((some) => new TextEncoder().encode(some)),
    );
    expect(
      difference('return new TextDecoder(args[0], args[1]).decode(args[2])', labels, options, marked),
    ).toBeUndefined();
    expect(
      difference(
        `const decoder = new TextDecoder('utf-8', args[0]);
       return args[1].map((part) => decoder.decode(part, { stream: true })).join('|') + '|' + decoder.decode()`,
        options,
        fc.array(fc.uint8Array({ maxLength: 4 }), { maxLength: 6 }),
      ),
    ).toBeUndefined();
    expect(difference("return [new TextDecoder('latin1').encoding, new TextDecoder().decode()]")).toBeUndefined();
  });

  const MEMBERS = `[url.href, url.origin, url.protocol, url.username, url.password, url.host, url.hostname, url.port,
    url.pathname, url.search, url.hash, String(url), JSON.stringify(url), [...url.searchParams].join()]`;
  const part = fc.oneof(
    fc.constantFrom('http:', 'https:', 'file:', 'a:', '//', '/', '..', '.', '%2e', '\\', '?', '#', '@', ':', ':80'),
    fc.constantFrom(
      'example.com',
      '127.1',
      '0x7f.1',
      '[::1]',
      '[1::2:3',
      'C|',
      'EXAMPLE',
      '%41',
      '256.1',
      ' ',
      '\t',
      'ä€',
    ),
    fc.string({ maxLength: 4 }),
  );
  /**
   * The known differences: core-js has no table of compatible characters for names of hosts beyond ASCII, and drops the host
   * of a file URL if its path begins with a drive.
   */
  const isEqual = (address: string): boolean =>
    /^[\0-\x7f]*$/.test(address) && !/(?:^|file:.*[/\\])\s*[a-z]\s*[:|]\s*(?:$|[/\\?#])/is.test(address);
  const address = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
    fc.array(part, { maxLength: 8 }).map((parts) => `http://example.com/${parts.join('')}`),
  );

  test('URL', () => {
    expect(difference(`const url = new URL(args[0]); return ${MEMBERS}`, address.filter(isEqual))).toBeUndefined();
    expect(
      difference(
        `const url = new URL(args[0], args[1]); return ${MEMBERS}`,
        address.filter(isEqual),
        address.filter(isEqual),
      ),
    ).toBeUndefined();
    expect(
      difference('return [URL.canParse(args[0]), URL.parse(args[0])?.href]', address.filter(isEqual)),
    ).toBeUndefined();
    expect(difference("return new URL('http://example.com/' + args[0]).href", text)).toBeUndefined();
    expect(difference("return new URL('http://Bücher.example/ä?ö#ü').href")).toBeUndefined();
    const names = fc.constantFrom(
      'protocol',
      'username',
      'password',
      'host',
      'hostname',
      'port',
      'pathname',
      'search',
      'hash',
    );
    expect(
      difference(
        `const url = new URL(args[0]); url[args[1]] = args[2]; return ${MEMBERS}`,
        address.filter(isEqual),
        names,
        part.filter(isEqual),
      ),
    ).toBeUndefined();
  });

  test('URLSearchParams', () => {
    // Halves of pairs are the one known difference: core-js replaces them in the text only.
    const whole = fc.string({ unit: 'binary' });
    const pairs = fc.array(fc.tuple(whole, whole), { maxLength: 6 });
    expect(
      difference(
        `const params = new URLSearchParams(args[0]); params.append(args[1], args[2]); params.sort();
       return [String(params), params.get(args[1]), params.getAll(args[1]), params.has(args[1]), params.size, [...params]]`,
        fc.oneof(
          pairs,
          whole,
          pairs.map((some) => Object.fromEntries(some)),
        ),
        whole,
        whole,
      ),
    ).toBeUndefined();
    expect(
      difference(
        `const url = new URL('http://a/?b=1&b=2&c=3'); url.searchParams.set('b', args[0]); url.searchParams.delete('c');
       url.searchParams.append(args[0], 'x'); return url.href`,
        whole,
      ),
    ).toBeUndefined();
  });

  test('structuredClone', () => {
    const plain = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withSparseArray: true,
    });
    expect(difference('return structuredClone(args[0])', plain)).toBeUndefined();
    const { there } = both(`
      const a = { date: new Date(0), map: new Map([[{ k: 1 }, new Set([1])]]), pattern: /a/gi, boxed: new Number(7), error: new RangeError('r'), bytes: new Uint8Array([1, 2]) };
      a.self = a; a.list = [a, , a.map];
      const b = structuredClone(a);
      const buffer = new ArrayBuffer(4), moved = structuredClone(buffer, { transfer: [buffer] });
      class Point { x = 1; get y() { return 2 } }
      const refused = [() => 1, Symbol('s'), new WeakMap()].map((value) => {
        try { structuredClone({ value }); return 'cloned' } catch (error) { return error.name + ': ' + (error instanceof Error) }
      });
      return [b !== a, b.self === b, b.list[0] === b, 1 in b.list, b.list[2] === b.map, b.map instanceof Map, b.map !== a.map,
        b.date instanceof Date, String(b.pattern), b.boxed + 1, b.error instanceof RangeError, b.error.message, [...b.bytes],
        buffer.byteLength, moved.byteLength, Object.getPrototypeOf(structuredClone(new Point())) === Object.prototype, refused]`);
    expect(there()).toEqual([
      true,
      true,
      true,
      false,
      true,
      true,
      true,
      true,
      '/a/gi',
      8,
      true,
      'r',
      [1, 2],
      0,
      4,
      true,
      Array(3).fill('DataCloneError: true'),
    ]);
  });

  test('digests and HMAC', async () => {
    const digest = realm.evalSync(
      `async (hash, data, key) => {
        const hex = (buffer) => new Uint8Array(buffer).toHex();
        const { subtle } = crypto, algorithm = { name: 'HMAC', hash };
        const imported = await subtle.importKey('raw', key, algorithm, true, ['sign', 'verify']);
        const code = await subtle.sign('hmac', imported, data);
        const wrong = code.slice(0); new Uint8Array(wrong)[0] ^= 1;
        return [hex(await subtle.digest({ name: hash }, data)), hex(code), hex(await subtle.exportKey('raw', imported)),
          await subtle.verify(algorithm, imported, code, data), await subtle.verify(algorithm, imported, wrong, data),
          await subtle.verify(algorithm, imported, new Uint8Array(2), data)].join();
      }`,
      { reference: true },
    ) as ivm.Reference<(hash: string, data: Uint8Array, key: Uint8Array) => Promise<string>>;
    const key = fc.uint8Array({ minLength: 1, maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'),
        bytes,
        key,
        async (hash, data, secret) => {
          const known = hash.replace('-', '').toLowerCase();
          const theirs = [
            createHash(known).update(data).digest('hex'),
            createHmac(known, secret).update(data).digest('hex'),
            Buffer.from(secret).toString('hex'),
          ];
          const ours = await digest.apply(undefined, [hash, data, secret], {
            arguments: { copy: true },
            result: { promise: true, copy: true },
          });
          expect(ours).toBe([...theirs, true, false, false].join());
        },
      ),
    );
  });
});

test('a library runs when one of its globals is used first, and no other library does', () => {
  const fresh = isolate.createContextSync();
  fresh.global.setSync(HOST_GLOBAL, new ivm.Callback(() => ''));
  isolate.compileScriptSync(guestSource, { filename: 'tagwright' }).runSync(fresh);
  const names = ['URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder', 'atob', 'btoa', 'structuredClone', 'crypto'];
  // A library that ran has made its globals own members.
  const present = (): unknown =>
    fresh.evalSync(`${JSON.stringify(names)}.filter((name) => Object.hasOwn(globalThis, name))`, { copy: true });
  expect(present()).toEqual([]);
  expect(fresh.evalSync(`${JSON.stringify(names)}.filter((name) => !(name in globalThis))`, { copy: true })).toEqual(
    [],
  );
  expect(present()).toEqual([]);
  expect(fresh.evalSync(`new URL('http://a/b').pathname`)).toBe('/b');
  expect(present()).toEqual(['URL', 'URLSearchParams']);
  expect(fresh.evalSync(`btoa('a')`)).toBe('YQ==');
  expect(present()).toEqual(['URL', 'URLSearchParams', 'atob', 'btoa']);
  fresh.release();
});
