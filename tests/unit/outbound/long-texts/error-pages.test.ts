import { describe, expect, test } from 'vitest';
import { abbreviate } from '#domain/text/abbreviate';
import { charsetOfText, textOf } from '../../../../src-main/outbound/api-response.ts';
import { completedCall } from '../../../../src-main/outbound/ended-call.ts';
import { inUtf8 } from '../../../../src-main/outbound/long-text.ts';
import { SecretMask } from '../../../../src-main/outbound/secrets/secret-mask.ts';
import { atOnce } from '../../../../src-main/platform/turns.ts';
import { fc } from '../../../support/run/random.ts';

const NONE = new SecretMask([]);

/** What the script gets from a response with this body, and whether its host decodes that. */
async function received(body: Buffer, type: string, status = 500, named = NONE) {
  const headers: [string, string][] = [['Content-Type', type]];
  const response = { status, statusText: '', headers, body };
  const progress = { source: 'live' as const, mock: null, mask: NONE };
  const { result } = await completedCall('Fetch', response, named, progress);
  const { text, errorMessage, responseObject } = result;
  const decoded = text ? new TextDecoder(text.charset).decode(text.bytes) : null;
  return { message: decoded ?? (status < 300 ? responseObject : errorMessage), isLong: text !== undefined };
}

/** The same from the whole text. */
function expected(body: Buffer, type: string, named = NONE): string {
  const text = named.text(textOf(body, [['Content-Type', type]]));
  try {
    JSON.parse(text);
    return text;
  } catch {
    const message = 'the remote server responded with 500 Internal Server Error';
    return JSON.stringify({ error: 'Http500', message, status: 500, body: abbreviate(text, 1_000_000) });
  }
}

const JSON_ROWS = JSON.stringify(Array.from({ length: 9_000 }, (_, at) => ({ at, text: 'grün 50 % "€" \u{1f600}' })));
const PAGE = '<p title="x">grün € \u{1f600}\n\t</p>'.repeat(60_000);

describe('a long error page', () => {
  test.each<[string, Buffer, string]>([
    ['JSON', Buffer.from(JSON_ROWS), 'application/json'],
    ['JSON between blanks', Buffer.from(`\r\n${JSON_ROWS}\t `), 'application/json'],
    ['JSON with a mark', Buffer.from(`\ufeff${JSON_ROWS}`), 'application/json'],
    ['JSON with two marks', Buffer.from(`\ufeff\ufeff${JSON_ROWS}`), 'application/json'],
    ['JSON in UTF-16', Buffer.from(`\ufeff${JSON_ROWS}`, 'utf16le'), 'application/json'],
    ['JSON in UTF-16 of another order', Buffer.from(JSON_ROWS, 'utf16le').swap16(), 'text/plain; charset=utf-16be'],
    ['JSON in UTF-16 with two marks', Buffer.from(`\ufeff\ufeff${JSON_ROWS}`, 'utf16le'), 'text/plain'],
    [
      'JSON with bytes that are no UTF-8',
      Buffer.from(`["${'x\u00ff\u00e2'.repeat(150_000)}"]`, 'latin1'),
      'text/plain',
    ],
    ['a cut character before the end of JSON', Buffer.from(`["${'\u00e2\u0082'.repeat(150_000)}"]`, 'latin1'), ''],
    ['cut JSON', Buffer.from(JSON_ROWS.slice(0, -1)), 'application/json'],
    ['HTML', Buffer.from(PAGE), 'text/html'],
    ['HTML with a mark', Buffer.from(`\ufeff${PAGE}`), 'text/html; charset=utf-8'],
    ['HTML in Latin-1', Buffer.from(PAGE, 'latin1'), 'text/html; charset=iso-8859-1'],
    ['HTML in UTF-16', Buffer.from(PAGE, 'utf16le'), 'text/html; charset=utf-16'],
    ['HTML in an unknown charset', Buffer.from(PAGE), 'text/html; charset=klingon'],
    ['control characters', Buffer.alloc(1_200_000, '\u0001\u007f"\\'), 'text/plain'],
    ['a character that ends at the limit', Buffer.from(`${'x'.repeat(999_998)}\u{1f600}`), 'text/plain'],
    ['a character across the limit', Buffer.from(`${'x'.repeat(999_998)}\u{1f600}y`), 'text/plain'],
    ['as much as the limit', Buffer.alloc(1_000_000, 'x'), 'text/plain'],
    ['one more than the limit', Buffer.alloc(1_000_001, 'x'), 'text/plain'],
    ['blanks alone', Buffer.alloc(300_000, ' '), 'text/plain'],
    ['no text', Buffer.alloc(300_000, 0xff), 'text/plain'],
  ])('says the same as a short one: %s', async (_, body, type) => {
    const { message, isLong } = await received(body, type);
    expect(isLong).toBe(true);
    expect(message === expected(body, type)).toBe(true);
  });

  test('is decoded here up to 256 kB', async () => {
    const body = Buffer.alloc(262_144, '"x" ');
    expect(await received(body, 'text/plain')).toEqual({ message: expected(body, 'text/plain'), isLong: false });
    const longer = Buffer.concat([body, Buffer.from(' ')]);
    expect(await received(longer, 'text/plain')).toEqual({ message: expected(longer, 'text/plain'), isLong: true });
  });

  test.each(['utf-8', 'utf-16le', 'iso-8859-1'])('in %s shows no secret, wherever it is', async (charset) => {
    const named = new SecretMask(['a-secret-value']);
    for (const [before, after] of [
      ['["', '"]'],
      ['<p>', '</p>'],
    ]) {
      // Also across the pieces that are decoded at once, and where the text is cut.
      const text = `${before}${'x'.repeat(131_070)}a-secret-value${'y'.repeat(868_906)}a-secret-value${'z'.repeat(90_000)}${after}`;
      const encoding = charset === 'utf-8' ? 'utf8' : charset === 'utf-16le' ? 'utf16le' : 'latin1';
      const type = `text/plain; charset=${charset}`;
      const { message } = await received(Buffer.from(text, encoding), type, 500, named);
      expect(message?.includes('a-sec')).toBe(false);
      expect(message === expected(Buffer.from(text, encoding), type, named)).toBe(true);
    }
  });
});

test('a long text with a mark in it is masked without losing that', async () => {
  const body = Buffer.from(`\ufeff\ufeffa-secret-value${'x'.repeat(300_000)}`, 'utf16le');
  const { message } = await received(body, 'text/plain', 200, new SecretMask(['a-secret-value']));
  expect(message === `\ufeff***${'x'.repeat(300_000)}`).toBe(true);
});

test('bytes in any charset are the same in UTF-8, wherever they are cut', () => {
  const charset = fc.constantFrom(
    'utf-8',
    'utf-16le',
    'utf-16be',
    'windows-1252',
    'koi8-r',
    'gb18030',
    'shift_jis',
    'euc-jp',
  );
  fc.assert(
    fc.property(charset, fc.uint8Array({ minLength: 1, maxLength: 7 }), fc.nat(5), (name, unit, more) => {
      const bytes = Buffer.concat([Buffer.alloc(more, 'x'), Buffer.alloc(280_001, unit)]);
      const headers: [string, string][] = [['content-type', `text/plain; charset=${name}`]];
      const text = new TextDecoder().decode(atOnce(inUtf8(bytes, charsetOfText(bytes, headers))));
      expect({ name, unit, same: text === textOf(bytes, headers) }).toEqual({ name, unit, same: true });
    }),
    { numRuns: 200 },
  );
});
