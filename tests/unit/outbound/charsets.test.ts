import { describe, expect, onTestFinished, test } from 'vitest';
import { textOf } from '../../../src-main/outbound/api-response.ts';
import { encodedBody } from '../../../src-main/outbound/http/encode-body.ts';
import { HttpClient } from '../../../src-main/outbound/http/http-client.ts';
import { buildRequest } from '../../../src-main/outbound/http/build-request.ts';
import { atOnce } from '../../../src-main/platform/turns.ts';
import { rawRemoteServer } from '../../support/services/remote-server.ts';

const encoded = (text: string, headers: [string, string][]) => atOnce(encodedBody(text, headers));
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

test.each<[string, string | null, Buffer, string]>([
  ['iso-8859-1', 'text/plain; charset=iso-8859-1', Buffer.from('grün', 'latin1'), 'grün'],
  ['windows-1252', 'text/plain; charset="windows-1252"', Buffer.from([0x80, 0x20, 0x93]), '€ “'],
  ['utf-16', 'text/plain; Charset=utf-16', Buffer.from('grün', 'utf16le'), 'grün'],
  ['utf-16be', 'text/plain; charset=utf-16be', utf16be('grün'), 'grün'],
  ['a mark of the order of bytes', 'text/plain', Buffer.from('\ufeffgrün', 'utf16le'), 'grün'],
  ['the other mark', null, utf16be('\ufeffgrün'), 'grün'],
  ['UTF-8 with a mark', 'application/json', Buffer.from('\ufeff{}'), '{}'],
  ['no charset', 'text/plain', Buffer.from('grün'), 'grün'],
  ['an unknown charset', 'text/plain; charset=klingon', Buffer.from('grün'), 'grün'],
  ['bytes that are not of their charset', 'text/plain; charset=utf-8', Buffer.from([0x61, 0xff]), 'a\ufffd'],
])('a response with %s', (_, type, body, text) => {
  expect(textOf(body, type === null ? [] : [['Content-Type', type]])).toBe(text);
});

describe('a payload', () => {
  const of = (charset: string): [string, string][] => [['content-type', `text/plain; charset=${charset}`]];
  const lookup = (name: string) => (name === 'EURO' ? '5 €' : 'grün');
  const build = (payload: string, mediaType: string, secrets: typeof lookup | null = null, headers = '') =>
    atOnce(
      buildRequest('Fetch', ['http://127.0.0.1/', 'post', payload, headers, mediaType], {
        keyHeader: () => 'X-API-Key',
        secrets,
      }),
    );

  test.each<[string, string, Buffer]>([
    ['iso-8859-1', 'grün', Buffer.from('grün', 'latin1')],
    ['"ISO-8859-1"', 'ÿ', Buffer.from([0xff])],
    ['latin1', 'é', Buffer.from([0xe9])],
    ['iso-8859-15', '€', Buffer.from([0xa4])],
    ['windows-1252', '€ “', Buffer.from([0x80, 0x20, 0x93])],
    ['us-ascii', 'green', Buffer.from('green')],
    ['koi8-r', 'да', Buffer.from([0xc4, 0xc1])],
    ['shift_jis', 'ｱ日本', Buffer.from([0xb1, 0x93, 0xfa, 0x96, 0x7b])],
    ['gbk', '中', Buffer.from([0xd6, 0xd0])],
    ['utf-16le', 'ü😀', Buffer.from('ü😀', 'utf16le')],
    ['utf-16be', 'ü', utf16be('ü')],
    ['utf-16', 'ü', Buffer.from('\ufeffü', 'utf16le')],
    ['utf8', 'ü', Buffer.from('ü')],
  ])('is encoded in %s', (charset, text, bytes) => {
    expect(Buffer.from(encoded(text, of(charset)))).toEqual(bytes);
    expect(textOf(bytes, of(charset))).toBe(text);
  });

  test.each(['iso-8859-2', 'iso-8859-7', 'windows-1251', 'big5', 'euc-kr', 'euc-jp', 'gbk', 'shift_jis', 'macintosh'])(
    'is read as it was written, for every character of %s',
    (charset) => {
      const decoder = new TextDecoder(charset);
      const all = Array.from({ length: 0x3000 }, (_, at) => String.fromCharCode(at + 0x20)).filter((character) => {
        try {
          return encoded(character, of(charset)).length > 0;
        } catch {
          return false;
        }
      });
      expect(all.length).toBeGreaterThan(180);
      expect(decoder.decode(Buffer.from(encoded(all.join(''), of(charset))))).toBe(all.join(''));
    },
  );

  test.each([
    [
      'iso-8859-1',
      'costs 5 €',
      'payload has the character "€" (U+20AC) at position 9, which charset iso-8859-1 does not',
    ],
    ['us-ascii', 'grün', 'the character "ü" (U+00FC) at position 3'],
    ['windows-1252', 'x😀', '"😀" (U+1F600) at position 2'],
    ['klingon', 'x', 'charset "klingon", which is not supported; write charset=utf-8'],
    ['iso-2022-jp', 'x', 'is not supported'],
  ])('that %s cannot encode is rejected', (charset, text, words) => {
    expect(() => build(text, `text/plain; charset=${charset}`)).toThrow(
      expect.objectContaining({ name: 'InvalidArgument', message: expect.stringContaining(words) }),
    );
  });

  test('is checked with its secrets, whose characters are not shown', () => {
    const type = 'text/plain; charset=iso-8859-1';
    expect(build('is {{secret:GREEN}}', type, lookup).body).toBe('is grün');
    expect(() => build('costs {{secret:EURO}}', type, lookup)).toThrow(
      'payload has a character of a secret, which charset',
    );
  });

  test('arrives in its charset, which a custom header may name, also after a redirect', async () => {
    const got: string[] = [];
    const base = await rawRemoteServer((socket) =>
      socket.on('data', (chunk: Buffer) => {
        got.push(chunk.toString('latin1'));
        const again = got.length === 1 ? '307 Again\r\nLocation: /again' : '200 OK';
        socket.write(`HTTP/1.1 ${again}\r\nContent-Length: 0\r\n\r\n`);
      }),
    );
    const http = new HttpClient({ caFiles: [], proxy: '', noProxy: [], allowOwnPorts: false });
    onTestFinished(() => http.close());
    const header = JSON.stringify([{ headerKey: 'Content-Type', headerValue: 'text/plain; charset=iso-8859-1' }]);
    const request = { ...build('grün', 'text/plain', null, header), url: new URL(base) };
    const rules = { timeoutMs: 10_000, maxRedirects: 5, maxBytes: 1_000, allowedHosts: [] };
    await http.send(request, rules, new AbortController().signal);
    expect(got.map((text) => text.split('\r\n\r\n')[1])).toEqual(['grün', 'grün']);
    expect(got[0]).toMatch(/content-length: 4\r/i);
  });
});
