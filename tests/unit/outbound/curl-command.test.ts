import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { HeaderPair } from '#domain/mock/api-call';
import { curlCommand } from '#domain/mock/curl-command';
import { fc } from '../../support/run/random.ts';

const requestOf = (headers: HeaderPair[] = [], body: string | null = null) => ({
  headers,
  body,
  bytes: body === null ? 0 : Buffer.byteLength(body),
});

describe('an API call as curl', () => {
  test('has the method, the URL, the headers and the body', () => {
    const headers: HeaderPair[] = [
      ['Accept', 'application/json'],
      ['Content-Type', 'application/json'],
      ['X-Empty', ''],
    ];
    const { text, notes } = curlCommand({
      method: 'PUT',
      url: "https://a.example/it's?x=[1]",
      request: requestOf(headers, '{"a": 1}'),
    });
    expect(text.split(' \\\n  ')).toEqual([
      String.raw`curl --globoff 'https://a.example/it'\''s?x=[1]'`,
      "--request 'PUT'",
      "--header 'Accept: application/json'",
      "--header 'Content-Type: application/json'",
      "--header 'X-Empty;'",
      `--data-raw '{"a": 1}'`,
    ]);
    expect(notes).toEqual([]);
  });

  test('has no method that curl chooses itself, and no type that the call does not have', () => {
    const url = 'https://a.example/';
    expect(curlCommand({ method: 'GET', url, request: requestOf() }).text).toBe(`curl '${url}'`);
    expect(curlCommand({ method: 'POST', url, request: requestOf([], 'a') }).text).toBe(
      `curl '${url}' \\\n  --header 'Content-Type:' \\\n  --data-raw 'a'`,
    );
  });

  test('says that secrets are masked, and that a body is missing', () => {
    const url = 'https://a.example/';
    const masked = requestOf([['Authorization', 'Bearer ***']], '{"password":"{{secret:ERP}}"}');
    expect(curlCommand({ method: 'POST', url, request: masked }).notes).toEqual([
      'Insert the secrets: they are masked.',
    ]);
    const cut = { headers: [], body: `${'a'.repeat(100)}…`, bytes: 20_000 };
    for (const request of [cut, { headers: [], body: null, bytes: 7 }]) {
      const { text, notes } = curlCommand({ method: 'POST', url, request });
      expect(text).not.toContain('--data-raw');
      expect(notes).toEqual(['The body is missing, because the log does not have all of it.']);
    }
  });

  test('reaches curl unchanged through a shell, whatever the call contains', () => {
    const part = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/\0|…$/g, ''));
    fc.assert(
      fc.property(part, part, part, (path, value, body) => {
        const url = `https://a.example/${path}`;
        const request = requestOf([['X-A', `a${value}`]], body);
        const { text } = curlCommand({ method: 'POST', url, request });
        const printed = execFileSync('/bin/sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${text}`], {
          encoding: 'utf8',
        });
        const args = printed.split('\0');
        expect(args).toContain(url);
        expect(args).toContain(`X-A: a${value}`);
        if (body !== '') expect(args).toContain(body);
      }),
      { numRuns: 20 },
    );
  });
});
