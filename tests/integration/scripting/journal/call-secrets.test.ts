import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, expect, test } from 'vitest';
import { commandLine } from '../../../support/product/command-line.ts';
import { builtProduct } from '../../../support/product/product.ts';
import { sharedFolder } from '../../../support/temp-folder.ts';

const folder = sharedFolder();
const workspace = join(folder, 'plant');
const TOKEN = 'token-of-the-platform-4711';
const PASSWORD = 'password-of-a-call-0815';
const TOKEN_URL = 'https://login.test/token';
const CACHE = 'Plant.Line.Cache.Value';
const NOTE = 'Plant.Line.Note.Value';
const FRESH = 'Plant.Line.Fresh.Value';

const READ = `const { ResponseObject } = ApiValueManager.GetOauthToken('${TOKEN_URL}', '[]');
const token = JSON.parse(ResponseObject).access_token;
console.log('new', token);
TagValueManager.Set([{ tag: '${NOTE}', value: 'got ' + token }]);
return token;`;

/** Each command is a process of its own, like one after a restart. */
async function command(args: string[], stdin = ''): Promise<string> {
  const { code, out, err } = await commandLine([...args, '-w', workspace], { stdin });
  expect({ args, code, err: code === 0 ? '' : err }).toEqual({ args, code: 0, err: '' });
  return out;
}

const fileOf = (name: string, content: string): string => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};

/** The text of all entries. */
function stored(): string {
  const database = new Database(join(workspace, 'workspace.db'), { readonly: true });
  try {
    return database.prepare<[], string>('SELECT entries FROM journal').pluck().all().join('\n');
  } finally {
    database.close();
  }
}

const tag = (path: string, kind: string, settings = {}) => ({
  path,
  kind,
  type: 'String',
  unit: '',
  description: '',
  settings,
});

beforeAll(builtProduct, 180_000);
beforeAll(async () => {
  await commandLine(['workspaces', 'new', workspace, '--empty']);
  const answer = { status: 200, body: { kind: 'json', json: { access_token: TOKEN } } };
  await command(['mocks', 'add', '-'], JSON.stringify({ name: 'Token', request: { url: TOKEN_URL }, answer }));
  await command(['scripts', 'save', 'Line/Token', '-'], READ);
  const tags = [tag(CACHE, 'storage'), tag(NOTE, 'storage'), tag(FRESH, 'script', { readScript: 'Line/Token' })];
  await command(['tags', 'import', fileOf('tags.json', JSON.stringify(tags))]);
});

test('secrets of API calls, also of scripts of tags, are in no entry and no capsule', async () => {
  const body = `const [{ Value }] = TagValueManager.Get(['${FRESH}']).Value;
console.log('read', Value);
ApiValueManager.FetchWithUserCredentials('https://far.test', 'get', null, 'me', '${PASSWORD}');
TagValueManager.Set([{ tag: '${CACHE}', value: JSON.stringify({ Value, by: '${PASSWORD}' }) }]);
throw new Error('ended with ' + Value);`;
  const capsule = join(folder, 'run.capsule.json');
  const { code } = await commandLine(['run', fileOf('run.js', body), '--capsule', capsule, '-w', workspace]);
  expect(code).toBe(1);
  const written: { before: string; after: string }[] = JSON.parse(await command(['why', CACHE, '--json'])).causes;
  expect(written[0]).toMatchObject({ before: null, after: '{"Value":"***","by":"***"}' });
  const read: { after: string }[] = JSON.parse(await command(['why', NOTE, '--json'])).causes;
  expect(read[0]).toMatchObject({ after: 'got ***' });
  const texts = [readFileSync(capsule, 'utf8'), stored(), await command(['journal', 'export'])];
  for (const text of texts) expect(text).not.toMatch(`${TOKEN}|${PASSWORD}`);
  expect((await commandLine(['replay', capsule])).out).toContain('The replay is equal to the run recorded at');
});

test('a value with a secret is hidden when it is replaced, also after a restart', async () => {
  await command(['tags', 'set', `${NOTE}="by hand"`, `${CACHE}="by hand"`]);
  const { causes } = JSON.parse(await command(['why', NOTE, '--json']));
  expect(causes[0]).toMatchObject({ before: '***', after: 'by hand' });
  expect(stored()).not.toMatch(`${TOKEN}|${PASSWORD}`);
  await command(['tags', 'set', `${NOTE}="again"`]);
  const again: { causes: unknown[] } = JSON.parse(await command(['why', NOTE, '--json']));
  expect(again.causes[0]).toMatchObject({ before: 'by hand', after: 'again' });
});
