import { fc } from '../../support/run/random.ts';
import { describe, expect, test } from 'vitest';
import type { TemplateValues } from '../../../src-main/outbound/mocks/fill-template.ts';
import { fillJsonTemplate, fillTemplate } from '../../../src-main/outbound/mocks/fill-template.ts';
import { matchesGlob } from '../../../src-main/outbound/mocks/glob.ts';
import { matchesBody } from '../../../src-main/outbound/mocks/match-body.ts';
import { matchUrl, parseUrlPattern, partsOf } from '../../../src-main/outbound/mocks/url-pattern.ts';
import { cpuMsOf } from '../../support/cpu-time.ts';

const match = (pattern: string, url: string) => matchUrl(parseUrlPattern(pattern), partsOf(new URL(url)));

describe('a URL pattern', () => {
  test.each([
    ['https://a.example/x', 'https://a.example/x'],
    ['https://a.example/x', 'https://a.example/x?any=1'],
    ['https://a.example', 'https://a.example/'],
    ['https://a.example:443/x', 'https://a.example/x'],
    ['http://a.example:80/x', 'http://a.example/x'],
    ['*://*/x', 'http://b.example:8080/x'],
    ['//a.example/x', 'http://a.example/x'],
    ['https://*.example/x', 'https://api.example/x'],
    ['https://A.Example/x', 'https://a.example/x'],
    ['https://a.example/*/end', 'https://a.example/one/end'],
    ['https://a.example/v*/end', 'https://a.example/v2/end'],
    ['https://a.example/**', 'https://a.example/one/two/three'],
    ['https://a.example/**/end', 'https://a.example/end'],
    ['https://a.example/a b', 'https://a.example/a%20b'],
    ['https://a.example/x?q=*&page=2', 'https://a.example/x?page=2&q=text&more=1'],
    ['https://a.example/x?q', 'https://a.example/x?q='],
    ['https://a.example/x?q={{secret:K}}', 'https://a.example/x?q={{secret:K}}'],
    ['https://bücher.example/x', 'https://BÜCHER.example/x'],
    ['https://*.bücher.example:8443/x', 'https://a.bücher.example:8443/x'],
    ['https://faß.example/x', 'https://xn--fa-hia.example/x'],
    ['http://[0:0:0:0:0:0:0:1]:8080/x', 'http://[::1]:8080/x'],
    ['http://[::1]:80/x', 'http://[::1]/x'],
    ['http://127.1/x', 'http://127.0.0.1/x'],
    ['https://a.example:*/x', 'https://a.example/x'],
    ['https://a.example/a%2Fb/ü', 'https://a.example/a%2fb/%c3%bc'],
    ['https://a.example/x?ä=1 2&b=3%2B4', 'https://a.example/x?b=3%2b4&%C3%A4=1+2'],
  ])('%s matches %s', (pattern, url) => {
    expect(match(pattern, url)).not.toBeNull();
  });

  test.each([
    ['https://a.example/x', 'http://a.example/x'],
    ['https://a.example/x', 'https://a.example/x/'],
    ['https://a.example/x', 'https://a.example:8443/x'],
    ['https://a.example/*', 'https://a.example/one/two'],
    ['https://a.example/{id}/end', 'https://a.example//end'],
    ['https://a.example/x?q=1', 'https://a.example/x?q=2'],
    ['https://a.example/x?q=1', 'https://a.example/x'],
    ['https://a.example/a/b', 'https://a.example/a%2Fb'],
    ['https://a.example/x?q=3%2B4', 'https://a.example/x?q=3+4'],
  ])('%s does not match %s', (pattern, url) => {
    expect(match(pattern, url)).toBeNull();
  });

  test('can name parts of the path, even after any number of others', () => {
    expect(match('https://a.example/docs/{id}/{part}', 'https://a.example/docs/4%202/image')).toEqual({
      id: '4 2',
      part: 'image',
    });
    expect(match('https://a.example/**/{id}', 'https://a.example/a/b/c')).toEqual({ id: 'c' });
  });

  test.each(['', 'a.example/x', 'ftp://a.example/', 'https://u@a.example/', 'https://'])('%j is invalid', (pattern) => {
    expect(() => parseUrlPattern(pattern)).toThrow(/./);
  });
});

test('a URL as a pattern matches itself, whatever characters it has', () => {
  const marks = [...Array.from('abz019-._~!$&\'()*+,;=:@%/?{}[]^`|\\ "<>'), 'ä', 'ß', '💥', '%2B', '%C3', '%C3%A4'];
  const text = fc.string({ unit: fc.constantFrom(...marks), maxLength: 12 });
  const host = fc.constantFrom('h.example', 'bücher.example', 'H.Example:8080', '[0:0::1]', '127.1', 'a_b');
  fc.assert(
    fc.property(fc.constantFrom('http', 'https'), host, text, text, (scheme, at, path, query) => {
      const url = new URL(`${scheme}://${at}/${path}?${query}`);
      expect(matchUrl(parseUrlPattern(url.href), partsOf(url)), url.href).not.toBeNull();
    }),
    { numRuns: 2_000 },
  );
});

test('a glob matches like its regular expression, in limited time', async () => {
  const part = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 });
  fc.assert(
    fc.property(part, text, (pattern, given) => {
      expect(matchesGlob(pattern, given)).toBe(new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(given));
    }),
  );
  const hard = () => expect(matchesGlob(`${'*a'.repeat(50)}b`, 'a'.repeat(20_000))).toBe(false);
  expect(await cpuMsOf(hard)).toBeLessThan(1_000);
});

describe('a body', () => {
  test.each([
    [null, null, true],
    [{ contains: 'abc' }, 'xabcx', true],
    [{ contains: 'abc' }, null, false],
    [{ json: { a: 1 } }, '{"a":1,"b":2}', true],
    [{ json: { a: { b: [1, { c: 2 }] } } }, '{"a":{"b":[1,{"c":2,"d":3}]}}', true],
    [{ json: { a: [1] } }, '{"a":[1,2]}', false],
    [{ json: { a: 1 } }, '{"a":"1"}', false],
    [{ json: { toString: 1 } }, '{}', false],
    [{ json: { grant_type: 'password' } }, 'grant_type=password&x=1', true],
    [{ json: {} }, 'no json', false],
  ])('%j of %j: %s', (wanted, body, fits) => {
    expect(matchesBody(wanted, body)).toBe(fits);
  });
});

describe('a template', () => {
  const values: TemplateValues = {
    method: 'POST',
    url: new URL('https://a.example/x?q=%22w%22'),
    path: { id: '7' },
    header: (name) => (name === 'x-a' ? 'A' : null),
    body: '{"n":5,"o":{"p":["q"]},"__proto__x":1}',
    hits: 3,
    now: 0,
    uuid: () => 'u',
    put: () => undefined,
  };

  test('is filled with data of the request', () => {
    const text =
      '{{request.method}} {{ request.path.id }} {{request.query.q}} {{request.header.x-a}} {{request.body.o.p.0}} ' +
      '{{hits}} {{now}} {{now.unix}} {{uuid}} [{{request.query.no}}{{request.body.no.no}}]';
    expect(fillTemplate(text, values, false)).toBe('POST 7 "w" A q 3 1970-01-01T00:00:00.000Z 0 u []');
    expect(fillTemplate('{"q":"{{request.query.q}}"}', values, true)).toBe('{"q":"\\"w\\""}');
  });

  test('keeps unknown expressions, and secrets', () => {
    const text = '{{secret:KEY}} {{other}} {{request.constructor}} {{}} {{request.path.constructor}}';
    expect(fillTemplate(text, values, false)).toBe('{{secret:KEY}} {{other}} {{request.constructor}} {{}} ');
  });

  test('keeps numbers and objects of the body in JSON', () => {
    expect(
      fillJsonTemplate({ n: '{{request.body.n}}', o: '{{request.body.o}}', t: 'n={{request.body.n}}' }, values),
    ).toEqual({ n: 5, o: { p: ['q'] }, t: 'n=5' });
  });
});
