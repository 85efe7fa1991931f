import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, expect, test } from 'vitest';
import type { RecentWorkspace, WorkspaceCopy } from '#domain/workspace/workspace';
import { readInstance } from '../../../src-main/storage/workspace/instance-lock.ts';
import { commandLine } from '../../support/product/command-line.ts';
import { builtProduct, tagwright } from '../../support/product/product.ts';
import { scaled } from '../../support/run/scale.ts';
import { serve } from '../../support/product/served-instance.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

beforeAll(builtProduct, 180_000);

const TARGET = 'Bottling.Line1.Shift.Target.Value';

async function done(args: string[], env?: NodeJS.ProcessEnv): Promise<string> {
  const { code, out, err } = await (env === undefined ? commandLine(args) : tagwright(args, { env }));
  if (code !== 0) throw new Error(`tagwright ${args.join(' ')} ended with ${code}: ${err}`);
  return out;
}

const valueIn = async (workspace: string): Promise<unknown> =>
  JSON.parse(await done(['tags', 'get', TARGET, '--json', '-w', workspace]))[0].value;

test('the list has opened workspaces, newest first, and marks missing ones', async () => {
  const folder = temporaryFolder();
  const env = { TAGWRIGHT_STATE: join(folder, 'state') };
  const [north, south] = [join(folder, 'north'), join(folder, 'south')];
  const list = async (): Promise<RecentWorkspace[]> => JSON.parse(await done(['workspaces', 'list', '--json'], env));
  expect(await list()).toEqual([]);
  for (const workspace of [north, south]) {
    const instance = await serve(workspace, env);
    await instance.close();
  }
  await done(['tags', 'get', TARGET, '-w', north], env);
  expect((await list()).map(({ directory, state }) => [directory, state])).toEqual([
    [south, 'there'],
    [north, 'there'],
  ]);
  await done(['workspaces', 'new', join(folder, 'other'), '--empty'], env);
  const file = join(folder, 'state', 'recent-workspaces.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace(north, `${north}-moved`));
  const text = await done(['workspaces', 'list'], env);
  expect(text.split('\n')).toEqual([
    expect.stringMatching(/^OPENED \(UTC\) +STATE +FOLDER$/),
    expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}there {2}.*south$/),
    expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}gone {3}.*north-moved$/),
    '',
  ]);
  await done(['workspaces', 'forget', south], env);
  expect((await list()).map(({ directory }) => directory)).toEqual([`${north}-moved`]);
  expect(existsSync(join(south, 'workspace.db'))).toBe(true);
  const again = await tagwright(['workspaces', 'forget', south], { env });
  expect([again.code, again.err]).toEqual([2, expect.stringContaining('not on the list')]);
});

test('an instance starts even if the list cannot be written', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'state'), 'a file instead of the folder');
  await serve(join(folder, 'workspace'), { TAGWRIGHT_STATE: join(folder, 'state') });
  expect(readInstance(join(folder, 'workspace'))).not.toBeNull();
});

test('a new workspace has the sample or is empty; a used folder is rejected unchanged', async () => {
  const folder = temporaryFolder();
  const total = async (workspace: string): Promise<number> =>
    JSON.parse(await done(['tags', 'list', '--json', '-w', workspace])).length;
  await done(['workspaces', 'new', join(folder, 'sample')]);
  expect(JSON.parse(await done(['workspaces', 'new', join(folder, 'empty'), '--empty', '--json']))).toEqual({
    directory: join(folder, 'empty'),
    sample: false,
  });
  expect([(await total(join(folder, 'sample'))) > 10, await total(join(folder, 'empty'))]).toEqual([true, 0]);
  const full = join(folder, 'full');
  mkdirSync(full);
  writeFileSync(join(full, 'notes.txt'), 'mine');
  const refused = await commandLine(['workspaces', 'new', full]);
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('notes.txt')]);
  expect(readdirSync(full)).toEqual(['notes.txt']);
});

const PAIR = 'Pair.Log.Value';

test('copies of a running instance contain each Set completely or not at all', async () => {
  const folder = temporaryFolder();
  const workspace = join(folder, 'source');
  await done(['workspaces', 'new', workspace]);
  const plant = new Database(join(workspace, 'plant.db'));
  plant.exec('CREATE TABLE pair (n INTEGER)');
  plant.close();
  mkdirSync(join(workspace, 'mock-files'));
  writeFileSync(join(workspace, 'mock-files', 'large.json'), '[1]');
  const client = await (await serve(workspace)).client();
  const settings = { readSql: 'SELECT max(n) FROM pair', writeSql: 'INSERT INTO pair (n) VALUES (:value)' };
  await client.tags.save({ path: PAIR, kind: 'db', type: 'Int', description: '', unit: '', settings });

  let n = 0;
  const stop = new AbortController();
  const writing = (async () => {
    while (!stop.signal.aborted) {
      n += 1;
      const items = [PAIR, TARGET].map((tag) => ({ tag, value: n }));
      await client.tags.set({ items });
    }
  })();
  await expect.poll(() => n).toBeGreaterThan(3);
  const copies: WorkspaceCopy[] = [];
  for (let at = 0; at < scaled(1, 3); at += 1) {
    const target = join(folder, `by-command-${at}`);
    copies.push(JSON.parse(await done(['workspaces', 'copy', target, '-w', workspace, '--json'])));
    copies.push(await client.workspaces.copy({ directory: join(folder, `by-instance-${at}`), withSecrets: false }));
  }
  stop.abort();
  await writing;
  const seen = new Set<unknown>();
  for (const copy of copies) {
    expect(copy).toEqual({ directory: copy.directory, bytes: expect.any(Number), mockFiles: 1, secretsKey: false });
    expect(readdirSync(copy.directory).toSorted()).toEqual(['mock-files', 'plant.db', 'workspace.db']);
    expect(readFileSync(join(copy.directory, 'mock-files', 'large.json'), 'utf8')).toBe('[1]');
    const values = JSON.parse(await done(['tags', 'get', PAIR, TARGET, '--json', '-w', copy.directory]));
    expect(values[0].value).toBe(values[1].value);
    seen.add(values[0].value);
  }
  expect(seen.size).toBe(copies.length);
  expect(await client.tags.get({ paths: [PAIR, TARGET] })).toMatchObject([{ value: n }, { value: n }]);
});

test('an instance lists, creates and copies workspaces, and rejects relative paths', async () => {
  const folder = temporaryFolder();
  const workspace = join(folder, 'source');
  const client = await (await serve(workspace, { TAGWRIGHT_STATE: join(folder, 'state') })).client();
  expect(await client.workspaces.recent()).toMatchObject([{ directory: workspace, state: 'there' }]);
  const made = join(folder, 'made');
  expect(await client.workspaces.create({ directory: made, sample: true })).toEqual({ directory: made });
  expect(await valueIn(made)).toBe(await valueIn(workspace));
  await expect(client.workspaces.create({ directory: 'made', sample: true })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
  await expect(client.workspaces.copy({ directory: 'copy', withSecrets: true })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
  await expect(client.workspaces.copy({ directory: made, withSecrets: false })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining('is not empty'),
  });
});

test('the key of the secrets is copied only if requested', async () => {
  const folder = temporaryFolder();
  const [workspace, without, including] = ['source', 'without', 'including'].map((name) => join(folder, name));
  if (!workspace || !without || !including) throw new Error('three folders');
  const set = await commandLine(['secrets', 'set', 'ERP_KEY', '-w', workspace], { stdin: 'canary-s3cret\n' });
  expect(set.code).toBe(0);
  await done(['workspaces', 'copy', without, '-w', workspace]);
  const said = await done(['workspaces', 'copy', including, '-w', workspace, '--with-secrets']);
  expect(said).toContain('the key of the secrets');
  expect(existsSync(join(without, 'secrets.key'))).toBe(false);
  expect(statSync(join(including, 'secrets.key')).mode & 0o777).toBe(0o600);
  const readable = async (directory: string) =>
    JSON.parse(await done(['secrets', 'list', '--json', '-w', directory]))[0].readable;
  expect([await readable(without), await readable(including)]).toEqual([false, true]);
});

test('work of a killed instance is completed before the copy, in any journal mode', async () => {
  const folder = temporaryFolder();
  const [workspace, target] = [join(folder, 'source'), join(folder, 'target')];
  await done(['workspaces', 'new', workspace]);
  const left = new Database(join(workspace, 'workspace.db'));
  left.exec(`INSERT INTO write_intents (evidence, writes, made_at) VALUES ('{}', '[]', '2026-01-01T00:00:00.000Z')`);
  left.close();
  const plant = new Database(join(workspace, 'plant.db'));
  expect(plant.pragma('journal_mode = DELETE', { simple: true })).toBe('delete');
  const orders = plant.prepare('SELECT count(*) FROM orders').pluck().get();
  plant.close();
  await done(['workspaces', 'copy', target, '-w', workspace]);
  const copied = new Database(join(target, 'workspace.db'), { readonly: true });
  expect(copied.prepare('SELECT count(*) FROM write_intents').pluck().get()).toBe(0);
  copied.close();
  const copiedPlant = new Database(join(target, 'plant.db'), { readonly: true });
  expect(copiedPlant.prepare('SELECT count(*) FROM orders').pluck().get()).toBe(orders);
  copiedPlant.close();
  expect(orders).toBeGreaterThan(0);
});

test('a copy that cannot be made is rejected, and leaves no files behind', async () => {
  const folder = temporaryFolder();
  const workspace = join(folder, 'source');
  await done(['tags', 'set', `${TARGET}=77`, '-w', workspace]);
  const refused = async (...args: string[]) => {
    const { code, err } = await commandLine(['workspaces', 'copy', ...args]);
    return [code, err.split('\n')[0]];
  };
  const target = join(folder, 'target');
  expect(await refused(target, '-w', join(folder, 'nowhere'))).toEqual([
    2,
    expect.stringContaining('has no workspace'),
  ]);
  expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  expect(await refused(join(workspace, 'copy'), '-w', workspace)).toEqual([
    2,
    expect.stringContaining('is inside the workspace'),
  ]);
  expect(await refused(workspace, '-w', workspace)).toEqual([2, expect.stringContaining('itself')]);
  mkdirSync(target);
  writeFileSync(join(target, 'notes.txt'), 'mine');
  expect(await refused(target, '-w', workspace)).toEqual([2, expect.stringContaining('notes.txt')]);
  expect(readdirSync(target)).toEqual(['notes.txt']);
  const other = join(folder, 'other');
  writeFileSync(join(workspace, 'plant.db'), 'this is not a database, although it is long enough'.repeat(40));
  expect(await refused(other, '-w', workspace)).toEqual([
    5,
    expect.stringMatching(/plant\.db" is damaged.*intact one/),
  ]);
  expect(existsSync(other)).toBe(false);
  expect(await valueIn(workspace)).toBe(77);
});
