import { fc } from '../../../support/run/random.ts';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isSecretName, maskBody, maskHeaders, maskUrl } from '../../../../src-main/outbound/secrets/masking.ts';
import { MASK, SecretMask } from '../../../../src-main/outbound/secrets/secret-mask.ts';
import { cpuMsOf } from '../../../support/cpu-time.ts';
import { turnsDuring } from '../../../support/turns.ts';

const NONE = new SecretMask([]);
/** Long enough to be masked, and not a part of a mask. */
const secret = fc.string({ unit: 'grapheme', minLength: 4, maxLength: 40 }).filter((text) => !text.includes('*'));
const around = fc.string({ unit: 'grapheme', maxLength: 20 });

describe('a known secret', () => {
  test('is masked in every text, in every form of a request', () => {
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
          // The text around it can form another one with the mask only if that text contains it.
          if (!`${before}${MASK}${after}`.includes(form)) expect(masked).not.toContain(form);
          expect(masked).toContain(MASK);
        }
      }),
    );
  });

  test('is masked in every header, URL and body', () => {
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

  test('is masked completely if a quote or an & in it looks like its end', () => {
    const quoted = new SecretMask(['half"other', 'half&other']);
    expect(maskBody('it was "client_secret":"half"other"', quoted)).not.toContain('other');
    expect(maskBody('password=half&other', quoted)).not.toContain('other');
    expect(maskUrl('http://far.example/?password=half&other', quoted)).not.toContain('other');
    expect(quoted.text('back=http%3A%2F%2Ffar.example%2F%3Fx%3Dhalf%2526other')).not.toContain('other');
  });

  test('that is too short is not masked', () => {
    expect(new SecretMask(['abc']).text('abc')).toBe('abc');
  });

  test.each([0, 1, 2, 3, 4, 5])('is masked in the Base64 of a text that contains it after %i others', (count) => {
    const mask = new SecretMask(['pass/w0rd ü']);
    for (const encoding of ['base64', 'base64url'] as const) {
      const shown = mask.text(Buffer.from(`${'u'.repeat(count)}pass/w0rd ü and more`).toString(encoding));
      expect(shown).toContain(MASK);
      expect(Buffer.from(shown.replaceAll(MASK, '...'), 'base64').toString()).not.toMatch(/pass|ss\/w|w0rd/);
    }
  });

  test('in Base64 is also masked decoded, and other bytes are not', () => {
    const mask = new SecretMask([Buffer.from('pass/w0rd ü').toString('base64'), 'password', 'deadbeef']);
    expect(mask.text('cGFzcy93MHJkIMO8 is pass/w0rd ü, or pass%2Fw0rd+%C3%BC')).toBe('*** is ***, or ***');
    expect(mask.forms.filter((form) => form.length < 8)).toEqual([]);
  });

  test.each([
    ['JSON of ASCII alone', 'a\\u00fc\\u20ac<\\"&b'],
    ['HTML', 'aü€&lt;&quot;&amp;b'],
    ['HTML of another sort', 'aü€&lt;&#34;&amp;b'],
    ['text of XML', 'aü€&lt;"&amp;b'],
  ])('is masked in every response in the form of %s', (_, form) => {
    expect(new SecretMask(['aü€<"&b']).text(`<p>${form}</p>`)).toBe('<p>***</p>');
  });

  test('is found quickly among many in long texts and bytes, as in short ones', async () => {
    const secrets = Array.from({ length: 6 }, (_, at) => `s${at}/"\\^$.*+?()[]{}|ü-${'long'.repeat(10 * at)}`);
    const mask = new SecretMask([...secrets, 'x'.repeat(8_000)]);
    const before = '.'.repeat(300_000);
    for (const value of secrets) {
      const carried = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)];
      for (const form of [...carried, Buffer.from(value).toString('base64')]) {
        expect(mask.text(`${before}${form}<`)).toBe(`${before}***<`);
        expect(mask.text(`${form}<`)).toBe('***<');
      }
    }
    const bytes = Buffer.alloc(8_000_000, 'not a secret ');
    expect(mask.bytes(bytes)).toBe(bytes);
    expect(await cpuMsOf(() => mask.bytes(bytes))).toBeLessThan(2_000);
    const some = Buffer.concat([bytes, Buffer.from(secrets[3] ?? '', 'latin1'), bytes]);
    expect(mask.bytes(some).equals(Buffer.concat([bytes, Buffer.from(MASK), bytes]))).toBe(true);
  });

  test.each([
    ['plain text with blanks', 'not a secret '],
    ['nested percent codes', '%25252525252541'],
    ['nested secrets', encodeURIComponent(encodeURIComponent('gehüim und länger')) + ','],
    ['entities', '&amp;amp;amp;'],
  ])('is masked in long bodies while others get their turn: %s', async (_, part) => {
    const mask = new SecretMask(['gehüim und länger']);
    const bytes = Buffer.alloc(8_000_000, part);
    let masked: Buffer | null = null;
    // Every step takes long enough to end its turn, however fast the machine is.
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 10));
    onTestFinished(() => clock.mockRestore());
    const turns = await turnsDuring(async () => void (masked = await mask.bytesInTurns(bytes)));
    expect(turns).toBeGreaterThan(2);
    expect(mask.bytes(bytes).equals(masked ?? Buffer.alloc(0))).toBe(true);
  });

  test('is masked in all bytes, whether text in UTF-8, in Latin-1 or none', () => {
    const mask = new SecretMask(['gehüim']);
    for (const encoding of ['utf8', 'latin1'] as const) {
      const bytes = Buffer.concat([Buffer.from([0, 255]), Buffer.from('gehüim', encoding), Buffer.from([128])]);
      expect(mask.bytes(bytes)).toEqual(Buffer.concat([Buffer.from([0, 255]), Buffer.from(MASK), Buffer.from([128])]));
    }
    const others = Buffer.from([1, 2, 255]);
    expect(mask.bytes(others)).toBe(others);
  });

  test('inside a longer one does not disclose the rest of that', () => {
    expect(new SecretMask(['pass', 'passphrase']).text('passphrase')).toBe(MASK);
  });
});

describe('a value with the name of a secret', () => {
  test.each([
    ['Authorization', 'Bearer abc', 'Bearer ***'],
    ['proxy-authorization', 'Basic abc', 'Basic ***'],
    ['X-API-Key', 'abc', MASK],
    ['Ocp-Apim-Subscription-Key', 'abc', MASK],
    ['Set-Cookie', 'sid=abc; Path=/', MASK],
    ['Content-Type', 'text/plain', 'text/plain'],
    ['WWW-Authenticate', 'Bearer realm="x"', 'Bearer realm="x"'],
    ['Location', '/next?token=abc&page=2', '/next?token=***&page=2'],
    ['Refresh', '0;url=/next?token=abc', '0;url=/next?token=***'],
    [
      'Link',
      '<https://u:p@h/x?access_token=abc>; rel="next", </y?page=2>; rel="last"',
      '<https://***@h/x?access_token=***>; rel="next", </y?page=2>; rel="last"',
    ],
  ])('the header %s', (name, value, masked) => {
    expect(maskHeaders([[name, value]], NONE)).toEqual([[name, masked]]);
  });

  test('parameters and users of a URL', () => {
    expect(maskUrl('https://u:p@h/x?api_key=abc&page=2&sig=def', NONE)).toBe(
      'https://***@h/x?api_key=***&page=2&sig=***',
    );
    expect(maskUrl('https://h/x?tok%65n%=abc&%C3token=def', NONE)).toBe('https://h/x?tok%65n%=***&%C3token=***');
    expect(maskUrl('https://h/x?to=/y?token=abc&page=2', NONE)).toBe('https://h/x?to=/y?token=***&page=2');
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

  test('a code that is exchanged for a token, but not the code of an error', () => {
    expect(maskBody('{"grant_type":"authorization_code","code":"4/0AX4"}', NONE)).not.toContain('4/0AX4');
    expect(maskBody('grant_type=authorization_code&code=4/0AX4', NONE)).not.toContain('4/0AX4');
    expect(maskBody('{"error":{"code":"ItemGone"}}', NONE)).toContain('ItemGone');
  });

  test('texts that are cut off or not JSON', () => {
    expect(maskBody('{"access_token":"abcdef","expires', NONE)).not.toContain('abcdef');
    expect(maskBody('<token>abcdef</token>', NONE)).not.toContain('abcdef');
    expect(maskBody('Authorization: Bearer abcdef', NONE)).not.toContain('abcdef');
  });

  test('bodies without secrets stay unchanged', () => {
    for (const body of ['{ "a" : 1 }', 'a=b&c=d', 'plain text', '<xml/>', '[]'])
      expect(maskBody(body, NONE)).toBe(body);
    expect(isSecretName('page')).toBe(false);
  });
});

describe('slow or deep hostile input', () => {
  test.each<[string, string]>([
    ['a URL of question marks', `https://h.example/${'?'.repeat(65_000)}`],
    ['a URL of one parameter', `https://h.example/?${'a'.repeat(65_000)}`],
  ])('%s is masked quickly', async (_, url) => {
    expect(await cpuMsOf(() => maskUrl(url, NONE))).toBeLessThan(1_000);
  });

  test.each<[string, string]>([
    ['of the same name again and again', `x ${'token'.repeat(50_000)}`],
    ['of blanks', `x basic${' '.repeat(250_000)}`],
    ['of arrays in arrays', '['.repeat(130_000) + ']'.repeat(130_000)],
    ['of objects in objects', `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`],
  ])('a body %s is masked quickly', async (_, body) => {
    expect(await cpuMsOf(() => maskBody(body, NONE))).toBeLessThan(2_000);
  });

  test('values that are nested too deeply are not shown', () => {
    const body = `${'['.repeat(1_000)}{"password":"hunter22"}${']'.repeat(1_000)}`;
    expect(maskBody(body, NONE)).not.toContain('hunter22');
  });
});
