import { expect, test } from 'vitest';
import { decodeText } from '../../../../src-renderer/support/files.ts';

const TEXT = 'Prüfstand;°C;😀\r\n';
const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();

test.each([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${TEXT}`)],
  ['UTF-16', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
  ['UTF-16 with the bytes the other way round', swapped(Buffer.from(`\ufeff${TEXT}`, 'utf16le'))],
])('%s is read', (_, bytes) => {
  expect(decodeText(bytes)).toBe(TEXT);
});

test.each([
  ['another encoding', Buffer.from('Prüfstand;°C', 'latin1'), 'not UTF-8 text'],
  ['half of a character', Buffer.from('°C').subarray(1), 'not UTF-8 text'],
  ['a binary', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]), 'not a text file'],
])('%s is rejected, not guessed', (_, bytes, message) => {
  expect(() => decodeText(bytes)).toThrow(message);
});

test('an empty file is an empty text', () => {
  expect(decodeText(new Uint8Array())).toBe('');
});
