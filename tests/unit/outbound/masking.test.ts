import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSecretName, MASK, maskBody, maskHeaders, maskUrl, SecretMask } from '../../../src-main/outbound/masking.ts';

const NONE = new SecretMask([]);
/** Long enough to be masked, and nothing that a mask itself holds. */
const secret = fc.string({ unit: 'grapheme', minLength: 4, maxLength: 40 }).filter((text) => !text.includes('*'));
const around = fc.string({ unit: 'grapheme', maxLength: 20 });

describe('a known secret', () => {
  test('is seen in no text, in whatever form a request carries it', () => {
    fc.assert(
      fc.property(secret, around, around, (value, before, after) => {
        const mask = new SecretMask([value]);
        for (const form of [
          value,
          encodeURIComponent(value.toWellFormed()),
          JSON.stringify(value).slice(1, -1),
          Buffer.from(value).toString('base64'),
          new URLSearchParams([['', value]]).toString().slice(1),
        ]) {
          if (MASK.includes(form)) continue;
          const masked = mask.text(`${before}${form}${after}`);
          // What stands around it may make another one with the mask's help only by holding it itself.
          if (!`${before}${MASK}${after}`.includes(form)) expect(masked).not.toContain(form);
          expect(masked).toContain(MASK);
        }
      }),
    );
  });

  test('is seen in no header, URL or body', () => {
    fc.assert(
      fc.property(secret, (value) => {
        const mask = new SecretMask([value]);
        const json = JSON.stringify({ note: value, list: [value] });
        const shown = [
          ...maskHeaders([['X-Note', value]], mask).map(([, text]) => text),
          maskUrl(`https://h.example/p?q=${encodeURIComponent(value.toWellFormed())}`, mask),
          maskBody(value, mask),
        ];
        for (const text of shown)
          if (!MASK.includes(value) && value.trim().length > 3) expect(text).not.toContain(value);
        const masked: unknown = JSON.parse(maskBody(json, mask));
        expect(masked).not.toMatchObject({ note: value });
      }),
    );
  });

  test('is masked as a whole where a quote or an & in it looks like its end', () => {
    const quoted = new SecretMask(['half"other', 'half&other']);
    expect(maskBody('it was "client_secret":"half"other"', quoted)).not.toContain('other');
    expect(maskBody('password=half&other', quoted)).not.toContain('other');
    expect(maskUrl('http://far.example/?password=half&other', quoted)).not.toContain('other');
    expect(quoted.text('back=http%3A%2F%2Ffar.example%2F%3Fx%3Dhalf%2526other')).not.toContain('other');
  });

  test('that is too short to tell is left', () => {
    expect(new SecretMask(['abc']).text('abc')).toBe('abc');
  });

  test('inside a longer one does not show the rest of that', () => {
    expect(new SecretMask(['pass', 'passphrase']).text('passphrase')).toBe(MASK);
  });
});

describe('what is named as a secret', () => {
  test.each([
    ['Authorization', 'Bearer abc', 'Bearer ***'],
    ['proxy-authorization', 'Basic abc', 'Basic ***'],
    ['X-API-Key', 'abc', MASK],
    ['Ocp-Apim-Subscription-Key', 'abc', MASK],
    ['Set-Cookie', 'sid=abc; Path=/', MASK],
    ['Content-Type', 'text/plain', 'text/plain'],
    ['WWW-Authenticate', 'Bearer realm="x"', 'Bearer realm="x"'],
  ])('the header %s', (name, value, masked) => {
    expect(maskHeaders([[name, value]], NONE)).toEqual([[name, masked]]);
  });

  test('parameters and users of a URL', () => {
    expect(maskUrl('https://u:p@h/x?api_key=abc&page=2&sig=def', NONE)).toBe(
      'https://***@h/x?api_key=***&page=2&sig=***',
    );
  });

  test('members of JSON, at any depth, and fields of forms', () => {
    const body = { access_token: 'abc', token_type: 'Bearer', user: { Password: 'x', list: [{ clientSecret: 1 }] } };
    expect(JSON.parse(maskBody(JSON.stringify(body), NONE))).toEqual({
      access_token: MASK,
      token_type: 'Bearer',
      user: { Password: MASK, list: [{ clientSecret: MASK }] },
    });
    expect(JSON.parse(maskBody('[{"headerKey":"client_secret","headerValue":"abc"}]', NONE))).toEqual([
      { headerKey: 'client_secret', headerValue: MASK },
    ]);
    expect(maskBody('grant_type=password&password=abc&client_secret=def', NONE)).toBe(
      'grant_type=password&password=***&client_secret=***',
    );
  });

  test('a code that is exchanged for a token, and not the code of an error', () => {
    expect(maskBody('{"grant_type":"authorization_code","code":"4/0AX4"}', NONE)).not.toContain('4/0AX4');
    expect(maskBody('grant_type=authorization_code&code=4/0AX4', NONE)).not.toContain('4/0AX4');
    expect(maskBody('{"error":{"code":"ItemGone"}}', NONE)).toContain('ItemGone');
  });

  test('texts that are cut or no JSON', () => {
    expect(maskBody('{"access_token":"abcdef","expires', NONE)).not.toContain('abcdef');
    expect(maskBody('<token>abcdef</token>', NONE)).not.toContain('abcdef');
    expect(maskBody('Authorization: Bearer abcdef', NONE)).not.toContain('abcdef');
  });

  test('leaves bodies without secrets as they are', () => {
    for (const body of ['{ "a" : 1 }', 'a=b&c=d', 'plain text', '<xml/>', '[]'])
      expect(maskBody(body, NONE)).toBe(body);
    expect(isSecretName('page')).toBe(false);
  });
});
