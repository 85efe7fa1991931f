import { describe, expect, test } from 'vitest';
import type { ApiArgument, ApiOperation } from '#domain/mock/api-call';
import { API_OPERATIONS, API_PARAMETERS } from '#domain/mock/api-call';
import type { HttpRequest } from '../../../src-main/outbound/http/build-request.ts';
import { buildRequest } from '../../../src-main/outbound/http/build-request.ts';
import { atOnce } from '../../../src-main/platform/turns.ts';
import { wholeOf } from '../../../src-main/platform/long-texts/text-in-parts.ts';
import { InvalidArgument } from '../../../src-main/outbound/invalid-argument.ts';
import { hideInWrongUrl } from '../../../src-main/outbound/secrets/masking.ts';
import { SecretMask } from '../../../src-main/outbound/secrets/secret-mask.ts';

const URL_TEXT = 'https://api.example.com/things?id=1';
const VALUES: Record<string, string> = { KEY: 'k"y/1 ü', HOST: 'evil.example' };
const RULES = {
  keyHeader: (url: URL) => (url.host === 'keys.example.com' ? 'Ocp-Key' : 'X-API-Key'),
  secrets: (name: string) => VALUES[name] ?? '',
};

const built = (...given: Parameters<typeof buildRequest>): HttpRequest => atOnce(buildRequest(...given));
const build = (operation: ApiOperation, ...args: ApiArgument[]): HttpRequest => built(operation, args, RULES);
const headersOf = (request: HttpRequest) => Object.fromEntries(request.headers);
const bodyOf = ({ body }: HttpRequest) => wholeOf(body ?? '');
const set = (...entries: [string, unknown][]) =>
  JSON.stringify(entries.map(([headerKey, headerValue]) => ({ headerKey, headerValue })));

function refusal(operation: ApiOperation, ...args: ApiArgument[]): string {
  try {
    build(operation, ...args);
  } catch (thrown) {
    if (thrown instanceof InvalidArgument) return thrown.message;
    throw thrown;
  }
  throw new Error('nothing was refused');
}

describe('Fetch', () => {
  test('sends verb, payload and media type, with JSON as the default', () => {
    const request = build('Fetch', URL_TEXT, 'PoSt', '{"a":1}');
    expect(request).toMatchObject({ method: 'POST', body: '{"a":1}' });
    expect(request.url.href).toBe(URL_TEXT);
    expect(headersOf(request)).toEqual({ Accept: 'application/json', 'Content-Type': 'application/json' });
    expect(headersOf(build('Fetch', URL_TEXT, 'get', null, null, 'text/csv'))).toEqual({ Accept: 'text/csv' });
    expect(build('Fetch', URL_TEXT, 'delete', '').body).toBeNull();
  });

  test('authenticates according to its name', () => {
    const rest = ['get', null] as const;
    expect(headersOf(build('FetchWithBearerToken', URL_TEXT, ...rest, 't0k'))).toMatchObject({
      Authorization: 'Bearer t0k',
    });
    expect(headersOf(build('FetchWithApiKey', URL_TEXT, ...rest, 'k3y'))).toMatchObject({ 'X-API-Key': 'k3y' });
    expect(headersOf(build('FetchWithApiKey', 'http://keys.example.com/', ...rest, 'k3y'))).toMatchObject({
      'Ocp-Key': 'k3y',
    });
    const basic = headersOf(build('FetchWithUserCredentials', URL_TEXT, ...rest, 'jörg', 'pä:ß'))['Authorization'];
    expect(Buffer.from(basic?.slice(6) ?? '', 'base64').toString()).toBe('jörg:pä:ß');
    expect(headersOf(build('FetchWithUserCredentials', URL_TEXT, ...rest, 'u', ''))).toHaveProperty('Authorization');
  });

  test('applies custom headers last, regardless of the case of their names', () => {
    const custom = JSON.stringify([
      { HeaderKey: 'accept', HEADERVALUE: 'text/plain' },
      { headerKey: 'AUTHORIZATION', headerValue: 'Mine' },
      { headerKey: 'X-Count', headerValue: 3 },
    ]);
    expect(headersOf(build('FetchWithBearerToken', URL_TEXT, 'get', null, 't0k', custom))).toEqual({
      accept: 'text/plain',
      AUTHORIZATION: 'Mine',
      'X-Count': '3',
    });
  });
});

describe('GetImage', () => {
  test('is a GET for bytes', () => {
    const request = build('GetImageWithBearerToken', URL_TEXT, 't0k');
    expect(request).toMatchObject({ method: 'GET', body: null });
    expect(headersOf(request)).toEqual({ Accept: 'application/octet-stream', Authorization: 'Bearer t0k' });
  });
});

describe('GetOauthToken', () => {
  const entries = set(
    ['client_id', 'plant'],
    ['client_secret', 's&cret='],
    ['Authorization', 'Basic abc'],
    ['x-tenant', 'T1'],
    ['User-Agent', 'mine'],
  );

  test('splits entries into headers and fields', () => {
    const json = build('GetOauthToken', URL_TEXT, entries);
    expect(json).toMatchObject({ method: 'POST', bodyIsSecret: true });
    expect(JSON.parse(bodyOf(json))).toEqual({ client_id: 'plant', client_secret: 's&cret=' });
    expect(headersOf(json)).toEqual({
      Accept: 'application/json',
      'Content-Type': 'application/json',
      Authorization: 'Basic abc',
      'x-tenant': 'T1',
      'User-Agent': 'mine',
    });
    const form = build('GetOauthToken', URL_TEXT, entries, 'application/x-www-form-urlencoded');
    expect(form.body).toBe('client_id=plant&client_secret=s%26cret%3D');
    expect(headersOf(form)).toMatchObject({
      Accept: 'application/json',
      'Content-Type': 'application/x-www-form-urlencoded',
    });
  });

  test('takes a Content-Type entry as the media type of the body', () => {
    const request = build(
      'GetOauthToken',
      URL_TEXT,
      set(['Content-Type', 'application/x-www-form-urlencoded'], ['grant_type', 'password']),
    );
    expect(request.body).toBe('grant_type=password');
  });
});

describe('wrong arguments', () => {
  test.each(API_OPERATIONS)('%s rejects everything that is not text, in every position, and names it', (operation) => {
    const good: Record<string, string> = {
      url: URL_TEXT,
      authHeaders: '[]',
      httpMethod: 'get',
      payload: '{}',
      customHeaders: '[]',
      mediaType: 'text/plain',
    };
    const args = API_PARAMETERS[operation].map((name) => good[name] ?? 'text');
    expect(() => build(operation, ...args)).not.toThrow();
    for (const [index, name] of API_PARAMETERS[operation].entries()) {
      for (const not of ['a number', 'an object', 'an array', 'a function', 'a symbol']) {
        expect(refusal(operation, ...args.with(index, name), { not })).toContain(operation);
        const wrong: ApiArgument[] = [...args];
        wrong[index] = { not };
        expect(refusal(operation, ...wrong)).toMatch(new RegExp(`^${name} \\(argument ${index + 1} .*is ${not}; pass`));
      }
    }
    expect(refusal(operation)).toMatch(/^url \(argument 1 .* missing/);
    expect(refusal(operation, ...args, 'one more')).toContain(`takes ${args.length} arguments`);
  });

  test.each(['', ' ', 'example.com/x', '/path', 'ftp://example.com', 'file:///etc/passwd', 'http://', 'http://a b/'])(
    'the URL %j',
    (url) => {
      expect(refusal('Fetch', url, 'get')).toMatch(/^url /);
    },
  );

  test('URLs with credentials are rejected without showing them', () => {
    const message = refusal('Fetch', 'https://user:hunter22@example.com/', 'get');
    expect(message).toContain('FetchWithUserCredentials');
    expect(message).not.toContain('hunter22');
    expect(refusal('Fetch', 'ftp://user:hunter22@example.com/?key=hunter22', 'get')).not.toContain('hunter22');
  });

  test.each([
    ' https://user:hunter22@h.invalid/',
    '//user:hunter22@h.invalid/',
    'http://user:hun/ter22@h.invalid/',
    'http://user:hun?ter22@h.invalid/',
    'http://user:hun#ter22@h.invalid/',
    'ht\ntps://user:hunter22@h.invalid/',
    'https:\\\\user:hunter22@h.invalid\\x',
    'user:hunter22@h.invalid',
    '\0http://user:hunter22@h.invalid/',
    'http:/\t/user:hunter22@h.invalid/',
    'http://user:hunter22%40h.invalid',
    'http://us er:hunter22@h.invalid/?x=1',
    'ftp://h.invalid/?token=hunter22',
  ])('the credentials of %j are in no message and no log', (url) => {
    for (const shown of [refusal('Fetch', url, 'get'), hideInWrongUrl(url)]) expect(shown).not.toMatch(/hun|ter22/);
    expect(hideInWrongUrl(url)).toContain('h.invalid');
  });

  test.each(['patch', 'head', '', 'GET POST', 'constructor'])('the verb %j', (verb) => {
    expect(refusal('Fetch', URL_TEXT, verb)).toMatch(/^httpMethod /);
  });

  test.each<[string, string]>([
    ['{not json', 'is not JSON'],
    ['{"headerKey":"a","headerValue":"b"}', 'is an object'],
    ['"text"', 'is a text'],
    ['[1]', 'customHeaders[0] is a number'],
    ['[{"headerValue":"b"}]', 'no headerKey'],
    ['[{"headerKey":"a","headerValue":null}]', 'no headerValue'],
    ['[{"headerKey":"a b","headerValue":"x"}]', 'not a valid header name'],
    ['[{"headerKey":"a\\r\\nEvil","headerValue":"x"}]', 'not a valid header name'],
    ['[{"headerKey":"A","headerValue":"x\\r\\nEvil: 1"}]', 'line break'],
    ['[{"headerKey":"A","headerValue":"x\\u0000"}]', 'not allowed in a header'],
    ['[{"headerKey":"A","headerValue":"日本"}]', 'not allowed in a header'],
    ['[{"headerKey":"Content-Length","headerValue":"5"}]', 'set by Tagwright'],
    ['[{"headerKey":"Transfer-Encoding","headerValue":"chunked"}]', 'set by Tagwright'],
    [`[${Array(201).fill('{"headerKey":"A","headerValue":"x"}').join(',')}]`, 'more than 200'],
  ])('the header set %.60s', (headers, message) => {
    expect(refusal('Fetch', URL_TEXT, 'get', null, headers)).toContain(message);
  });

  test('tokens, keys and users that a header cannot contain, and invalid media types', () => {
    expect(refusal('FetchWithBearerToken', URL_TEXT, 'get', null, 'a\nb')).toContain('line break');
    expect(refusal('FetchWithApiKey', URL_TEXT, 'get', null, 'a\r\nb')).toContain('line break');
    expect(refusal('FetchWithUserCredentials', URL_TEXT, 'get', null, 'a:b', 'c')).toContain('colon');
    expect(refusal('FetchWithUserCredentials', URL_TEXT, 'get', null, 'a', 'c\u0000')).toContain('control character');
    expect(refusal('FetchWithBearerToken', URL_TEXT, 'get', null, '')).toMatch(/^token .* is empty/);
    for (const mediaType of ['json', 'a/b/c', 'text/plain\r\nX: 1']) {
      expect(refusal('Fetch', URL_TEXT, 'get', null, null, mediaType)).toMatch(/^mediaType /);
    }
  });
});

describe('named secrets', () => {
  test('are inserted with the escaping of their position', () => {
    const url = `${URL_TEXT}&key={{secret:KEY}}`;
    const request = build('FetchWithApiKey', url, 'post', '{"pin":"{{ secret:KEY }}"}', '{{secret:KEY}}');
    expect(request.url.searchParams.get('key')).toBe(VALUES['KEY']);
    expect(JSON.parse(bodyOf(request))).toEqual({ pin: VALUES['KEY'] });
    expect(headersOf(request)['X-API-Key']).toBe(VALUES['KEY']);
    expect(request).toMatchObject({ bodyIsSecret: true, named: [VALUES['KEY']] });
    const form = build('Fetch', URL_TEXT, 'post', 'pin={{secret:KEY}}', null, 'application/x-www-form-urlencoded');
    expect(new URLSearchParams(bodyOf(form)).get('pin')).toBe(VALUES['KEY']);
  });

  test('are escaped for the Content-Type of a custom header', () => {
    const type = (name: string) => JSON.stringify([{ headerKey: 'content-type', headerValue: name }]);
    const form = build('Fetch', URL_TEXT, 'post', 'pin={{secret:KEY}}', type('application/x-www-form-urlencoded'));
    expect(new URLSearchParams(bodyOf(form)).get('pin')).toBe(VALUES['KEY']);
    expect(build('Fetch', URL_TEXT, 'post', '{{secret:KEY}}', type('text/plain')).body).toBe(VALUES['KEY']);
  });

  test('are escaped in XML', () => {
    const rules = { ...RULES, secrets: () => `<a&"b'>` };
    const payload = '<soap:Envelope><Password>{{secret:KEY}}</Password></soap:Envelope>';
    for (const type of ['text/xml; charset=utf-8', 'application/soap+xml']) {
      const request = built('Fetch', [URL_TEXT, 'post', payload, null, type], rules);
      expect(request.body).toBe('<soap:Envelope><Password>&lt;a&amp;&quot;b&#39;&gt;</Password></soap:Envelope>');
      expect(new SecretMask(request.named).text(bodyOf(request))).toContain('<Password>***</Password>');
    }
  });

  test('are also found if a script encoded the placeholder for a URL or form', () => {
    const encoded = encodeURIComponent('{{secret:KEY}}');
    const form = new URLSearchParams({ pin: '{{secret:KEY}}' }).toString();
    const type = 'application/x-www-form-urlencoded';
    const request = build('Fetch', `${URL_TEXT}&key=${encoded}`, 'post', form, null, type);
    expect(request.url.searchParams.get('key')).toBe(VALUES['KEY']);
    expect(new URLSearchParams(bodyOf(request)).get('pin')).toBe(VALUES['KEY']);
    expect(request.bodyIsSecret).toBe(true);
    expect(refusal('Fetch', `https://${encoded}/x`, 'get')).toContain('a secret in its host');
    // In other payloads it is plain text.
    expect(build('Fetch', URL_TEXT, 'post', encoded).body).toBe(encoded);
  });

  test('are inserted into every argument except the verb', () => {
    const type = 'application/json; plant="{{secret:PLAIN}}"';
    const rules = { ...RULES, secrets: (name: string) => (name === 'PLAIN' ? 'value-1' : '') };
    const request = built('GetImage', [URL_TEXT, null, type], rules);
    expect(headersOf(request)).toEqual({ Accept: 'application/json; plant="value-1"' });
    expect(request.named).toEqual(['value-1']);
    expect(refusal('Fetch', URL_TEXT, '{{secret:KEY}}')).toBe(
      'httpMethod is "{{secret:KEY}}"; pass "get", "post", "put" or "delete"',
    );
  });

  test('as a password count together with the user, because one header has both', () => {
    const { named } = build('FetchWithUserCredentials', URL_TEXT, 'get', null, 'plant', '{{secret:KEY}}');
    expect(named).toEqual([VALUES['KEY'], `plant:${VALUES['KEY']}`]);
  });

  test('stay as they are for mocks and logs', () => {
    const rules = { ...RULES, secrets: null };
    const shown = built('FetchWithApiKey', [URL_TEXT, 'get', null, '{{secret:KEY}}'], rules);
    expect(headersOf(shown)['X-API-Key']).toBe('{{secret:KEY}}');
    expect(shown.named).toEqual([]);
  });

  test('make no request much larger than its arguments', () => {
    const rules = { ...RULES, secrets: () => 'x'.repeat(8_192) };
    const many = '{{secret:KEY}}'.repeat(10_000);
    const type = JSON.stringify([{ headerKey: 'X-A', headerValue: many }]);
    const wrong = [
      [URL_TEXT, 'post', many],
      [`${URL_TEXT}&key=${'{{secret:KEY}}'.repeat(4_000)}`, 'get'],
      [URL_TEXT, 'get', null, type],
    ];
    for (const args of wrong) {
      expect(() => built('Fetch', args, rules)).toThrow(/secrets in the arguments have more than 1048576/);
    }
    expect(built('Fetch', [URL_TEXT, 'post', '{{secret:KEY}}'.repeat(128)], rules).body).toHaveLength(1_048_576);
  });

  test('that are missing are named, in every argument', () => {
    const secrets = (name: string): string => {
      throw new InvalidArgument(`there is no secret ${name}`);
    };
    const rules = { ...RULES, secrets };
    const gone = '{{secret:GONE}}';
    const wrong = [
      [`${URL_TEXT}&key=${gone}`, 'get', null, 'key'],
      [URL_TEXT, 'post', `{"key":"${gone}"}`, 'key'],
      [URL_TEXT, 'get', null, gone],
      [URL_TEXT, 'get', null, 'key', set(['X-Key', gone])],
      [URL_TEXT, 'get', null, 'key', null, `text/plain; key="${gone}"`],
    ];
    for (const args of wrong) expect(() => built('FetchWithApiKey', args, rules)).toThrow('no secret GONE');
  });

  test.each<[string, string]>([
    ['{{SECRET:KEY}}', 'has "{{SECRET:KEY}}", which is not the placeholder of a secret; write {{secret:KEY}}'],
    ['{{ Secret : KEY }}', 'write {{secret:KEY}}'],
    ['{{secrets:KEY}}', 'write {{secret:KEY}}'],
    ['{{secret:}}', 'has "{{secret:}}", which is not the placeholder of a secret; write {{secret:NAME}}'],
    ['{{secret: }}', 'write {{secret:NAME}}'],
    ['{{secret:MY KEY}}', 'begins with a letter and has letters, digits, _ . or -'],
    ['{{secret:1ST}}', 'begins with a letter'],
    [`{{secret:${'K'.repeat(65)}}}`, 'at most 64'],
    ['{{secret:KEY}', 'write {{secret:KEY}}'],
    ['{{secret:KEY', 'write {{secret:KEY}}'],
    ['{{secret:KEY}} and {{Secret:KEY}}', 'has "{{Secret:KEY}}"'],
  ])('with a typing error are rejected with a hint, also by mocks: %s', (text, words) => {
    const wrong: [parameter: string, ApiArgument[]][] = [
      ['url', [`${URL_TEXT}&key=${text}`, 'get', null, 'key']],
      ['payload', [URL_TEXT, 'post', JSON.stringify({ key: text }), 'key']],
      ['apiKey', [URL_TEXT, 'get', null, text]],
      ['customHeaders', [URL_TEXT, 'get', null, 'key', set(['X-Key', text])]],
      ['mediaType', [URL_TEXT, 'get', null, 'key', null, `text/plain; key="${text}"`]],
    ];
    for (const [parameter, args] of wrong) {
      for (const { secrets } of [RULES, { secrets: null }]) {
        const made = () => built('FetchWithApiKey', args, { ...RULES, secrets });
        expect(made).toThrow(
          expect.objectContaining({ name: 'InvalidArgument', message: expect.stringContaining(words) }),
        );
        expect(made).toThrow(new RegExp(`^${parameter} has `));
      }
    }
  });

  test('with a typing error are also rejected if encoded, where they would be found', () => {
    const encoded = encodeURIComponent('{{SECRET:KEY}}');
    expect(refusal('Fetch', `${URL_TEXT}&key=${encoded}`, 'get')).toContain('write {{secret:KEY}}');
    const type = 'application/x-www-form-urlencoded';
    expect(refusal('Fetch', URL_TEXT, 'post', `pin=${encoded}`, null, type)).toContain('write {{secret:KEY}}');
    expect(build('Fetch', URL_TEXT, 'post', encoded).body).toBe(encoded);
  });

  test('are no other expressions', () => {
    const text = '{{secret}} {{ secretary: 1 }} {{my.secret:x}} {secret:x} {{#secret}}';
    expect(build('Fetch', URL_TEXT, 'post', text).body).toBe(text);
  });

  test('cannot determine the host', () => {
    expect(refusal('Fetch', 'https://{{secret:HOST}}/x', 'get')).toContain('a secret in its host');
  });
});
