import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { KEY_IS_SET, secretsInSettings } from '#domain/workspace/private-settings';
import { hashKey } from '../../../../src-main/platform/key-check.ts';
import { createLog } from '../../../../src-main/platform/log.ts';
import { sealerOf } from '../../../../src-main/outbound/secrets/sealer.ts';
import type { SecretCipher } from '../../../../src-main/outbound/secrets/secret-cipher.ts';
import { SYSTEM_CIPHER } from '../../../../src-main/outbound/secrets/secret-cipher.ts';
import { SettingsService } from '../../../../src-main/workspace/settings/settings-service.ts';
import { StoredSettings } from '../../../../src-main/workspace/settings/stored-settings.ts';
import { backupsOf } from '../../../../src-main/storage/backups/backups.ts';
import { openDatabase } from '../../../../src-main/storage/database.ts';
import { MIGRATIONS } from '../../../../src-main/storage/migrations/index.ts';
import { restoreBackup } from '../../../../src-main/storage/backups/restore-backup.ts';
import { sealSettings } from '../../../../src-main/storage/workspace/rewrite-settings.ts';
import { openWorkspaceStore } from '../../../../src-main/storage/workspace/workspace-store.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';
import { thrownBy } from '../../../support/thrown-by.ts';

const [KEY, PASSWORD, TOKEN] = ['clear-k3y-of-tools', 'clear-pa55word', 'clear-t0ken'];
const PROXY = `http://plant:${PASSWORD}@proxy.example:3128`;
const FEED = `https://example.com/feed.json?sig=${TOKEN}`;
/** The first schema whose settings are sealed. */
const BEFORE = MIGRATIONS.slice(0, 12);

/** The workspace as the workbench opens it. */
function open(directory: string, cipher?: SecretCipher) {
  const store = openWorkspaceStore(directory);
  onTestFinished(() => store.close());
  const logged: string[] = [];
  const log = createLog({ write: (line) => logged.push(line) });
  const sealer = sealerOf(directory, cipher);
  sealSettings(store.database, new StoredSettings(sealer).rewritten, log);
  return { store, logged, settings: new SettingsService(store, log, sealer) };
}

function put(database: Database, key: string, value: string): void {
  database
    .prepare('INSERT INTO settings VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value')
    .run(key, JSON.stringify(value));
}

/** A workspace of the previous version, with changed values and pages that are no longer used. */
function earlierWorkspace(): string {
  const directory = temporaryFolder();
  const database = openDatabase(join(directory, 'workspace.db'), { migrations: BEFORE });
  put(database, 'events.apiKey', `${KEY}-earlier-${'x'.repeat(150)}`);
  put(database, 'api.allowedHosts', 'y'.repeat(9_000));
  put(database, 'events.apiKey', KEY);
  put(database, 'api.proxy', PROXY);
  put(database, 'updates.feed', FEED);
  database.exec("DELETE FROM settings WHERE key = 'api.allowedHosts'");
  database.close();
  return directory;
}

/** The files of a folder that contain one of the secrets. */
function filesWithSecrets(directory: string): string[] {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => {
    const path = join(directory, name);
    if (!statSync(path).isFile()) return false;
    const bytes = readFileSync(path);
    return [KEY, PASSWORD, TOKEN].some((secret) => bytes.includes(secret) || bytes.includes(secret, 0, 'utf16le'));
  });
}

test('plaintext of an older version is sealed on open, in every file', async () => {
  const directory = earlierWorkspace();
  expect(filesWithSecrets(directory)).toEqual(['workspace.db']);
  const { store, settings, logged } = open(directory);
  expect(settings.get()).toMatchObject({ 'events.apiKey': KEY_IS_SET, 'api.proxy': PROXY, 'updates.feed': FEED });
  expect(await settings.apiKey.check([KEY])).toBe(true);
  expect(await settings.apiKey.check([`${KEY}x`])).toBe(false);
  expect(backupsOf(join(directory, 'workspace.db')).map(({ sort }) => sort)).toEqual(['schema']);
  expect(filesWithSecrets(directory)).toEqual([]);
  store.close();
  expect(filesWithSecrets(directory)).toEqual([]);
  expect(logged.join('')).toContain('have been sealed');
  // The second open finds nothing to do.
  expect(open(directory).logged).toEqual([]);
});

test('a new value is never written as plaintext, and survives a restart', async () => {
  const directory = temporaryFolder();
  const { store, settings } = open(directory);
  const shown = await settings.update({ 'events.apiKey': KEY, 'api.proxy': PROXY, 'updates.feed': FEED });
  expect(shown).toMatchObject({ 'events.apiKey': KEY_IS_SET, 'api.proxy': PROXY });
  expect(settings.apiKey.check([KEY])).toBe(true);
  await store.backUpNow();
  expect(filesWithSecrets(directory)).toEqual([]);
  store.close();
  const again = open(directory).settings;
  expect(again.get()).toMatchObject({ 'events.apiKey': KEY_IS_SET, 'api.proxy': PROXY, 'updates.feed': FEED });
  // Compared without the slow hash, because a flood of unknown keys could delay that.
  expect(again.apiKey.check(['wrong-key'])).toBe(false);
  expect(again.apiKey.check([KEY])).toBe(true);
  await again.reset({ keys: ['events.apiKey', 'api.proxy'] });
  expect(again.get()).toMatchObject({ 'events.apiKey': '', 'api.proxy': '' });
  expect(again.apiKey.check([])).toBe(true);
});

test('a stored key that cannot be read closes the events API until a new one is set', async () => {
  const directory = temporaryFolder();
  const { store } = open(directory);
  await store.commits.run(() => store.settings.put('events.apiKey', { hash: 5 }));
  store.close();
  const { settings } = open(directory);
  expect(settings.get()['events.apiKey']).toBe(KEY_IS_SET);
  expect(await settings.apiKey.check([KEY])).toBe(false);
  expect(settings.apiKey.check([])).toBe(false);
  await settings.update({ 'events.apiKey': KEY });
  expect(settings.apiKey.check([KEY])).toBe(true);
});

test('a key stored only as a slow hash gets its quick one with the first valid call', async () => {
  const directory = temporaryFolder();
  const { store, settings } = open(directory);
  await store.commits.run(() => store.settings.put('events.apiKey', { hash: hashKey(KEY) }));
  store.close();
  const before = open(directory);
  expect(await before.settings.apiKey.check(['wrong-key'])).toBe(false);
  expect(await before.settings.apiKey.check([KEY])).toBe(true);
  before.store.close();
  expect(filesWithSecrets(directory)).toEqual([]);
  const after = open(directory).settings;
  expect(after.apiKey.check(['wrong-key'])).toBe(false);
  expect(after.apiKey.check([KEY])).toBe(true);
  expect(settings.get()['events.apiKey']).toBe('');
});

test('a key changed while the former one is checked stays changed', async () => {
  const directory = temporaryFolder();
  const { store } = open(directory);
  await store.commits.run(() => store.settings.put('events.apiKey', { hash: hashKey(KEY) }));
  store.close();
  const before = open(directory);
  const slow = before.settings.apiKey.check([KEY]);
  await Promise.all([slow, before.settings.update({ 'events.apiKey': 'the-next-key' })]);
  before.store.close();
  const { apiKey } = open(directory).settings;
  expect(await apiKey.check([KEY])).toBe(false);
  expect(await apiKey.check(['the-next-key'])).toBe(true);
});

test('other settings stay readable', async () => {
  const { store, settings } = open(temporaryFolder());
  const patch = { 'api.proxy': 'http://plant:{{secret:PROXY}}@proxy:3128', 'updates.feed': 'https://example.com/f' };
  await settings.update(patch);
  expect(store.settings.all()).toEqual(new Map(Object.entries(patch).map(([key, text]) => [key, `"${text}"`])));
});

test('saving the placeholder of a set key keeps the key', async () => {
  const { settings } = open(temporaryFolder());
  const error = await thrownBy(() => settings.update({ 'events.apiKey': KEY_IS_SET }));
  expect(error).toMatchObject({ code: 'BAD_REQUEST', message: expect.stringContaining('No key is set') });
  await settings.update({ 'events.apiKey': KEY });
  await settings.update({ ...settings.get(), 'hosts.count': 3 });
  expect(settings.apiKey.check([KEY])).toBe(true);
  expect(settings.get()['hosts.count']).toBe(3);
});

test('backups of an older version are sealed in place, and restored ones at open', async () => {
  const directory = earlierWorkspace();
  const file = join(directory, 'workspace.db');
  const [first] = ['workspace-20260101T000000000Z-manual.db'];
  cpSync(file, join(directory, 'backups', first ?? ''));
  const { store } = open(directory);
  expect(filesWithSecrets(directory)).toEqual([]);
  store.close();
  // A backup that is added later is sealed when it is restored.
  const late = 'workspace-20260202T000000000Z-manual.db';
  cpSync(join(earlierWorkspace(), 'workspace.db'), join(directory, 'backups', late));
  await restoreBackup(directory, late);
  const restored = open(directory);
  expect(restored.settings.get()).toMatchObject({ 'events.apiKey': KEY_IS_SET, 'api.proxy': PROXY });
  expect(await restored.settings.apiKey.check([KEY])).toBe(true);
  restored.store.close();
  expect(filesWithSecrets(directory)).toEqual([]);
  expect(readdirSync(join(directory, 'backups')).filter((name) => !name.endsWith('.db'))).toEqual([]);
});

/** The key store of the desktop application. */
const KEY_STORE: SecretCipher = {
  id: SYSTEM_CIPHER,
  seal: (name, value) => Buffer.from(JSON.stringify([name, value])).toString('base64'),
  open: (_name, sealed) => JSON.parse(Buffer.from(sealed, 'base64').toString())[1],
};

test('the command line keeps secrets sealed by the desktop, and says how to set them', async () => {
  const directory = temporaryFolder();
  const desktop = open(directory, KEY_STORE);
  await desktop.settings.update({ 'api.proxy': PROXY, 'events.apiKey': KEY });
  desktop.store.close();

  const cli = open(directory);
  const why = cli.settings.closedBecause('api.proxy');
  expect(why).toMatch(
    /^The secret in setting api\.proxy cannot be opened here: it was sealed by the desktop application with the key store of the system, .* Set it again: tagwright settings set api\.proxy=VALUE$/,
  );
  expect(cli.logged.join('')).toContain(why);
  expect(cli.settings.closedBecause('updates.feed')).toBeNull();
  expect(await cli.settings.apiKey.check([KEY])).toBe(true);
  // A window that sends back what it shows does not replace what it cannot show.
  await cli.settings.update({ ...cli.settings.get(), 'hosts.count': 3 });
  cli.store.close();
  const unchanged = open(directory, KEY_STORE);
  expect(unchanged.settings.get()).toMatchObject({ 'api.proxy': PROXY, 'hosts.count': 3 });
  expect(unchanged.settings.apiKey.check([KEY])).toBe(true);
  unchanged.store.close();

  const again = open(directory);
  const other = PROXY.replace('plant:', 'plant-2:');
  await again.settings.update({ 'api.proxy': other });
  expect(again.settings.closedBecause('api.proxy')).toBeNull();
  again.store.close();
  for (const cipher of [undefined, KEY_STORE]) {
    const { store, settings } = open(directory, cipher);
    expect(settings.get()['api.proxy']).toBe(other);
    store.close();
  }
});

test('a copy without the key keeps the address, and reports the missing ones', async () => {
  const directory = temporaryFolder();
  const { store, settings } = open(directory);
  await settings.update({ 'api.proxy': PROXY, 'events.apiKey': KEY });
  store.close();
  const copy = temporaryFolder();
  cpSync(join(directory, 'workspace.db'), join(copy, 'workspace.db'));
  const copied = open(copy);
  expect(copied.settings.get()).toMatchObject({
    'api.proxy': 'http://plant@proxy.example:3128',
    'events.apiKey': KEY_IS_SET,
  });
  expect(copied.logged.join('')).toContain('Set it again: tagwright settings set api.proxy=');
  expect(await copied.settings.apiKey.check([KEY])).toBe(true);
});

test('if sealing fails, the workspace opens, works, and reports it', async () => {
  const directory = earlierWorkspace();
  const store = openWorkspaceStore(directory);
  onTestFinished(() => store.close());
  const logged: string[] = [];
  const log = createLog({ write: (line) => logged.push(line) });
  const broken = () => {
    throw new Error('no key');
  };
  const sealer = { seal: broken, open: broken, whyClosed: broken };
  sealSettings(store.database, new StoredSettings(sealer).rewritten, log);
  expect(logged.join('')).toMatch(/still stored in plain text.*no key/);
  const settings = new SettingsService(store, log, sealer);
  expect(settings.get()).toMatchObject({ 'events.apiKey': KEY_IS_SET, 'api.proxy': PROXY });
  expect(await settings.apiKey.check([KEY])).toBe(true);
});

test.each([
  ['http://proxy:3128', []],
  ['http://me:{{secret:PROXY}}@proxy:3128', []],
  ['http://me:pass%2Bword@proxy:3128', ['http://me:pass%2Bword@proxy:3128', 'pass%2Bword', 'pass+word']],
])('the secrets in the proxy %s are %j', (proxy, secrets) => {
  expect(secretsInSettings({ 'api.proxy': proxy, 'updates.feed': 'https://updates.test/feed', 'hub.url': '' })).toEqual(
    secrets,
  );
});

test('the query of a feed is a secret', () => {
  const feed = 'https://updates.test/feed?key=of-the-feed';
  expect(secretsInSettings({ 'api.proxy': '', 'updates.feed': feed, 'hub.url': '' })).toEqual([feed]);
});
