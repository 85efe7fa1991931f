import { expect, test } from 'vitest';
import { textOf } from '../../../src-main/outbound/api-response.ts';

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
