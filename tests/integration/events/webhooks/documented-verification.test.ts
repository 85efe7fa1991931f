import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { keyOf, newSecret, signatureOf } from '../../../../src-main/events/webhooks/signature.ts';
import { ROOT } from '../../../support/product/product.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

/** The code block of a language in docs/events/webhooks.md. */
function example(language: string): string {
  const page = readFileSync(join(ROOT, 'docs/events/webhooks.md'), 'utf8');
  return new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(page)?.[1] ?? '';
}

interface Case {
  name: string;
  headers: Record<string, string>;
  body: string;
  isAuthentic: boolean;
}

const SECRET = newSecret();

/** Messages, and whether a receiver with the secret accepts them. */
function cases(): Case[] {
  const [own, other] = [SECRET, newSecret()].map((secret) => keyOf(secret) ?? Buffer.alloc(0));
  if (!own || !other) throw new Error('there are no keys');
  const now = Math.floor(Date.now() / 1_000);
  const body = '{"type":"event.created","text":"ü 😀"}';
  const headersOf = (keys: Buffer[], at = now) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at),
    'webhook-signature': signatureOf(keys, 'msg_1', at, body),
  });
  return [
    { name: 'signed', headers: headersOf([own]), body, isAuthentic: true },
    { name: 'rotated', headers: headersOf([other, own]), body, isAuthentic: true },
    { name: 'by another', headers: headersOf([other]), body, isAuthentic: false },
    { name: 'changed', headers: headersOf([own]), body: `${body} `, isAuthentic: false },
    { name: 'old', headers: headersOf([own], now - 3_600), body, isAuthentic: false },
    { name: 'unsigned', headers: { ...headersOf([own]), 'webhook-signature': '' }, body, isAuthentic: false },
    { name: 'forged', headers: { ...headersOf([own]), 'webhook-signature': 'v1,AAAA' }, body, isAuthentic: false },
    { name: 'not ASCII', headers: { ...headersOf([own]), 'webhook-signature': 'v1,é' }, body, isAuthentic: false },
    { name: 'no number', headers: { ...headersOf([own]), 'webhook-timestamp': 'nan' }, body, isAuthentic: false },
    {
      name: 'a huge number',
      headers: { ...headersOf([own]), 'webhook-timestamp': '9'.repeat(5_000) },
      body,
      isAuthentic: false,
    },
    { name: 'without headers', headers: {}, body, isAuthentic: false },
  ];
}

const verdicts = (all: readonly Case[]) => all.map(({ name, isAuthentic }) => ({ name, isAuthentic }));

test('the example in TypeScript accepts authentic messages only', async () => {
  const file = join(temporaryFolder(), 'receiver.ts');
  writeFileSync(file, example('ts'));
  const { isAuthentic } = await import(pathToFileURL(file).href);
  const all = cases();
  const results = all.map(({ name, headers, body }) => ({
    name,
    isAuthentic: isAuthentic(headers, Buffer.from(body), SECRET) === true,
  }));
  expect(results).toEqual(verdicts(all));
});

const PYTHON = ['python3', 'python'].find((program) => spawnSync(program, ['--version']).status === 0);

test.skipIf(PYTHON === undefined)('the example in Python accepts authentic messages only', () => {
  const file = join(temporaryFolder(), 'receiver.py');
  const loop = `
import json, sys
given = json.loads(sys.stdin.buffer.read())
print(json.dumps([is_authentic(c["headers"], c["body"].encode(), given["secret"]) for c in given["cases"]]))
`;
  writeFileSync(file, example('py') + loop);
  const all = cases();
  const { stdout, stderr } = spawnSync(PYTHON ?? '', [file], {
    input: JSON.stringify({ secret: SECRET, cases: all }),
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual(all.map(({ isAuthentic }) => isAuthentic));
});
