import { mkdir, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { contextsFileOf } from '#contract/runs/run-contexts';
import { testsFileOf } from '#contract/texts/script-test-text';
import { nameKey } from '#domain/text/name-key';
import { plainContext } from '#domain/run/saved-context';
import { compactTest } from '#domain/run/script-test';
import { PRIVATE_SETTINGS, publicPart } from '#domain/workspace/private-settings';
import type { Settings } from '#domain/workspace/settings';
import { messageOf, TagwrightError } from '../platform/errors.ts';
import { makeOwnFolder } from '../platform/files/private-files.ts';
import { writeWhole } from '../platform/files/whole-file.ts';
import { isFull } from '../storage/storage-error.ts';
import type { InstanceClient } from '../host/instance-client.ts';
import { ATTRIBUTES, bodyFile, BODIES, FILES, FORMAT, MANIFEST } from './folder-format.ts';
import { missingNames } from './missing-names.ts';
import { ruleTextOf } from './rule-text.ts';

/** Number of tags whose values are read at once. */
const AT_ONCE = 50;

/** A workspace as text files: the path of each in the folder (with `/`), and its text. */
type TextFiles = Map<string, string>;

/** A workspace as text, and the settings whose secret is not in it. */
interface ExportedWorkspace {
  readonly files: TextFiles;
  readonly leftOut: ExportedSettings['leftOut'];
  /** References to missing items, for people: an import keeps them. */
  readonly missing: string[];
}

/** The result of writing a folder. */
interface FolderChanges {
  written: string[];
  unchanged: number;
  removed: string[];
}

/**
 * All user content of a workspace as text, in a stable order: the same workspace gives the same files. No secrets, no
 * history, no events.
 */
export async function textOfWorkspace(client: InstanceClient): Promise<ExportedWorkspace> {
  const files: TextFiles = new Map([
    [MANIFEST, jsonText({ format: FORMAT })],
    [ATTRIBUTES.file, ATTRIBUTES.text],
  ]);
  await addScripts(client, files);
  files.set(FILES.tags, (await client.tags.export({ format: 'json' })).text);
  files.set(FILES.values, jsonText(await storedValues(client, await storagePaths(client))));
  const rules = (await client.rules.list()).map(ruleTextOf);
  files.set(FILES.rules, jsonText(rules.toSorted(byName)));
  files.set(FILES.mocks, (await client.mocks.export()).text);
  const diagrams = await Promise.all((await client.diagrams.list()).map(({ id }) => client.diagrams.get({ id })));
  files.set(
    FILES.diagrams,
    jsonText(diagrams.map(({ id: _id, version: _version, savedAt: _at, ...page }) => page).toSorted(byName)),
  );
  const { settings, leftOut } = exportedSettings(await client.settings.get());
  files.set(FILES.settings, jsonText(Object.fromEntries(Object.entries(settings).toSorted(byKey))));
  return { files, leftOut, missing: await missingNames(client) };
}

async function addScripts(client: InstanceClient, files: TextFiles): Promise<void> {
  const { groups, scripts } = await client.scripts.list();
  const index: { group: string; name: string; description: string; file: string }[] = [];
  for (const { id } of scripts) {
    const { group, name, description, body } = await client.scripts.get({ id });
    const file = bodyFile({ group, name });
    files.set(file, body);
    const tests = (await client.scriptTests.list({ scriptId: id })).map(compactTest);
    if (tests.length > 0) files.set(testsFileOf(file), jsonText(tests.toSorted(byName)));
    const { named, used } = await client.runContexts.get({ id });
    // In one order of members, however they were stored.
    const contexts = [...named.map((one) => ({ name: one.name, ...plainContext(one) })), ...used.map(plainContext)];
    if (contexts.length > 0) files.set(contextsFileOf(file), jsonText(contexts));
    index.push({ group, name, description, file });
  }
  index.sort((a, b) => order(a.group, b.group) || order(a.name, b.name));
  files.set(FILES.scripts, jsonText({ groups: groups.toSorted(order), scripts: index }));
}

async function storagePaths(client: InstanceClient): Promise<string[]> {
  const paths: string[] = [];
  for (let after: string | undefined; ;) {
    const page = await client.tags.list({ limit: 50_000, ...(after === undefined ? {} : { after }) });
    paths.push(...page.tags.filter(({ kind }) => kind === 'storage').map(({ path }) => path));
    if (page.next === null) break;
    after = page.next;
  }
  return paths;
}

/** The stored values of storage tags, by Diagram and location. */
export async function storedValues(client: InstanceClient, paths: readonly string[]) {
  const values = [];
  for (let at = 0; at < paths.length; at += AT_ONCE) {
    const some = paths.slice(at, at + AT_ONCE);
    const stored = await Promise.all(some.map((path) => client.tags.scopes({ path })));
    for (const [index, tag] of some.entries()) {
      for (const { diagram, location, value } of stored[index]?.values ?? [])
        values.push({ tag, diagram, location, value });
    }
  }
  return values;
}

/**
 * Writes the files; removes files of an earlier export that are no longer part of it. Throws BAD_REQUEST for a folder
 * with other contents, and changes nothing in it.
 */
export async function writeFolder(folder: string, files: TextFiles): Promise<FolderChanges> {
  const before = await present(folder);
  if (before.length > 0 && !before.includes(MANIFEST)) {
    const others = before.filter((name) => !name.startsWith('.'));
    if (others.length > 0) {
      const message = `"${folder}" contains other files (such as "${others[0] ?? ''}") and no ${MANIFEST}. Choose an empty folder, or one from an earlier export.`;
      throw new TagwrightError('BAD_REQUEST', message);
    }
  }
  const removed = (await bodiesIn(folder)).filter((file) => !files.has(file));
  const changes: FolderChanges = { written: [], unchanged: 0, removed };
  const keys = new Set([...files.keys()].map(nameKey));
  const [respelled, gone] = [
    removed.filter((file) => keys.has(nameKey(file))),
    removed.filter((file) => !keys.has(nameKey(file))),
  ];
  try {
    // Values and settings of a plant are private, unless the folder existed and is shared.
    makeOwnFolder(folder);
    // Removed before writing: on a file system that is not case-sensitive, it is the same file.
    for (const file of respelled) await remove(folder, file);
    for (const [file, text] of files) {
      const path = join(folder, file);
      if ((await readFile(path, 'utf8').catch(() => null)) === text) {
        changes.unchanged += 1;
        continue;
      }
      await mkdir(dirname(path), { recursive: true });
      await writeWhole(path, text);
      changes.written.push(file);
    }
    for (const file of gone) await remove(folder, file);
  } catch (thrown) {
    if (isFull(thrown)) {
      const message = `The disk of "${folder}" is full: some of its files are unchanged. Free some space and export again.`;
      throw new TagwrightError('STORAGE_FULL', message, { cause: thrown });
    }
    throw new TagwrightError('BAD_REQUEST', `"${folder}" cannot be written: ${messageOf(thrown)}`, { cause: thrown });
  }
  return changes;
}

/** Removes a file, and its folder if that is then empty. */
async function remove(folder: string, file: string): Promise<void> {
  const path = join(folder, file);
  await rm(path);
  await rmdir(dirname(path)).catch(() => undefined);
}

async function present(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return [];
    throw new TagwrightError('BAD_REQUEST', `"${folder}" cannot be read: ${messageOf(thrown)}`, { cause: thrown });
  }
}

/** The bodies, tests and contexts of scripts in a folder, as paths in it. */
async function bodiesIn(folder: string): Promise<string[]> {
  const groups = await readdir(join(folder, BODIES), { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const group of groups.filter((entry) => entry.isDirectory())) {
    const names = await readdir(join(folder, BODIES, group.name));
    found.push(
      ...names
        .filter((name) => /\.(?:js|tests\.json|contexts\.json)$/.test(name))
        .map((name) => `${BODIES}/${group.name}/${name}`),
    );
  }
  return found;
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** By code units: the same on every system, in every language. */
function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

const byName = (a: { name: string }, b: { name: string }) => order(a.name, b.name);
const byKey = ([a]: [string, unknown], [b]: [string, unknown]) => order(a, b);

/** The settings in the folder, and the names of settings whose secret was omitted. */
interface ExportedSettings {
  readonly settings: Omit<Settings, 'events.apiKey' | 'api.recordFolder'> & { 'api.recordFolder'?: string };
  readonly leftOut: readonly (keyof Settings)[];
}

/**
 * The settings without the key of the events API and without plain secrets in URLs. Without a folder for recorded mocks,
 * the text is as it was before there was that setting.
 */
export function exportedSettings(all: Settings): ExportedSettings {
  const { 'events.apiKey': key, 'api.recordFolder': recordFolder, ...others } = all;
  const settings: ExportedSettings['settings'] = others;
  if (recordFolder !== '') settings['api.recordFolder'] = recordFolder;
  const leftOut: (keyof Settings)[] = key === '' ? [] : ['events.apiKey'];
  for (const name of PRIVATE_SETTINGS) {
    settings[name] = publicPart(name, all[name]);
    if (settings[name] !== all[name]) leftOut.push(name);
  }
  return { settings, leftOut };
}
