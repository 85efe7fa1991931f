import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { builtProduct, tagwright } from '../../support/product.ts';

beforeAll(builtProduct, 180_000);

const HAR = {
  log: {
    version: '1.2',
    entries: [
      {
        request: { method: 'GET', url: 'https://caps.example/api/orders/C-1', headers: [] },
        response: { status: 200, headers: [], content: { mimeType: 'application/json', text: '{"boxes":12}' } },
      },
    ],
  },
};

async function done(workspace: string, args: string[], stdin = ''): Promise<string> {
  const { code, out, err } = await tagwright([...args, '--workspace', workspace], { stdin });
  if (code !== 0) throw new Error(`tagwright ${args.join(' ')} ended with ${code}: ${err}`);
  return out;
}

test('mocks are imported, listed, exported and deleted, and a mode is set that a script sees', async () => {
  const workspace = temporaryFolder();
  const [har, file, body] = [join(workspace, 'calls.har'), join(workspace, 'mocks.json'), join(workspace, 'body.js')];
  writeFileSync(har, JSON.stringify(HAR));
  writeFileSync(body, `return ApiValueManager.Fetch('https://caps.example/api/orders/C-1', 'get').ResponseObject`);
  expect(await done(workspace, ['mocks', 'mode', 'offline'])).toMatch(/^offline: /);
  expect(JSON.parse(await done(workspace, ['mocks', 'mode', '--json']))).toEqual({ mode: 'offline', record: false });
  expect(await done(workspace, ['mocks', 'import', har, '--replace'])).toMatch(/^1 mock added \(har\), \d+ removed/);
  expect(await done(workspace, ['mocks', 'list'])).toContain('GET https://caps.example/api/orders/C-1');
  expect(await done(workspace, ['mocks', 'export', file])).toContain('1 mock exported');
  expect(await done(workspace, ['mocks', 'export', '-'])).toBe(readFileSync(file, 'utf8'));
  expect(await done(workspace, ['run', body])).toContain('boxes');
  const { mocks } = JSON.parse(await done(workspace, ['mocks', 'list', '--json']));
  expect(mocks).toMatchObject([{ hits: 1 }]);

  expect(await done(workspace, ['mocks', 'delete', '--all'])).toContain('1 mock deleted');
  const back = JSON.parse(await done(workspace, ['mocks', 'import', '-', '--json'], readFileSync(file, 'utf8')));
  expect(back).toMatchObject({ format: 'tagwright', added: 1, removed: 0 });
  expect(JSON.parse(await done(workspace, ['calls', 'list', '--json']))).toEqual([]);

  const wrong = await tagwright(['mocks', 'import', '-', '--workspace', workspace], { stdin: '{"no":"mocks"}' });
  expect(wrong.code).not.toBe(0);
  expect(wrong.err).toMatch(/mocks/i);
  expect((await tagwright(['mocks', 'mode', 'sometimes', '--workspace', workspace])).err).toContain('offline');
});

test('secrets are set without being seen, listed by name and deleted', async () => {
  const workspace = temporaryFolder();
  const said = await done(workspace, ['secrets', 'set', 'ERP_KEY'], 'canary-s3cret\n');
  expect(said).toContain('{{secret:ERP_KEY}}');
  const listed = await done(workspace, ['secrets', 'list', '--json']);
  expect(JSON.parse(listed)).toMatchObject([{ name: 'ERP_KEY', readable: true }]);
  expect(said + listed).not.toContain('canary-s3cret');
  expect(statSync(join(workspace, 'secrets.key')).mode & 0o777).toBe(0o600);
  const short = await tagwright(['secrets', 'set', 'SHORT', '--workspace', workspace], { stdin: 'abc' });
  expect(short).toMatchObject({ code: expect.any(Number), out: '' });
  expect(short.err).toContain('at least 4');
  await done(workspace, ['secrets', 'delete', 'ERP_KEY']);
  expect(JSON.parse(await done(workspace, ['secrets', 'list', '--json']))).toEqual([]);
});
