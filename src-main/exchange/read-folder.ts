import { constants } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { contextsFileOf, contextsFile } from '#contract/runs/run-contexts';
import { scriptTestsFile, testsFileOf } from '#contract/texts/script-test-text';
import { abbreviate } from '#domain/text/abbreviate';
import { nameKey } from '#domain/text/name-key';
import { grouped } from '#domain/text/grouped';
import { messageOf, TagwrightError } from '../platform/errors.ts';
import { handleOfPlain } from '../platform/files/plain-file.ts';
import { PLAIN, placeText } from '../platform/plain-words.ts';
import { LONGEST_ITEM } from './applied.ts';
import {
  BODIES,
  diagramsFile,
  FILES,
  manifest,
  MANIFEST,
  mocksFile,
  rulesFile,
  scriptsFile,
  settingsFile,
  valuesFile,
} from './folder-format.ts';

export type WorkspaceText = Awaited<ReturnType<typeof readFolder>>;

/**
 * Reads and checks all files of a folder before anything is applied. A missing file means that there are no items of
 * its kind. Throws BAD_REQUEST with the file and the place in it, also if two names are equal.
 */
export async function readFolder(folder: string) {
  await parsed(folder, MANIFEST, manifest, undefined);
  const { groups, scripts } = await parsed(folder, FILES.scripts, scriptsFile, { groups: [], scripts: [] });
  const bodies = await Promise.all(
    scripts.map(async ({ file, ...script }) => {
      if (!file.startsWith(`${BODIES}/`) || file.split('/').some((part) => part === '..' || part.includes('\\'))) {
        throw unfit(FILES.scripts, `"${file}" is not a file of the folder "${BODIES}"`);
      }
      const tests = await parsed(folder, testsFileOf(file), scriptTestsFile(), []);
      const contexts = await parsed(folder, contextsFileOf(file), contextsFile, []);
      return { ...script, file, body: await textOf(folder, file), tests, contexts };
    }),
  );
  const text = {
    groups,
    scripts: bodies,
    tags: await textOf(folder, FILES.tags, '[]'),
    values: await parsed(folder, FILES.values, valuesFile, []),
    rules: await parsed(folder, FILES.rules, rulesFile, []),
    mocks: (await parsed(folder, FILES.mocks, mocksFile, { mocks: [] })).mocks,
    diagrams: await parsed(folder, FILES.diagrams, diagramsFile, []),
    settings: await parsed(folder, FILES.settings, settingsFile, {}),
  };
  checkNames(text);
  return text;
}

async function parsed<T>(folder: string, file: string, schema: z.ZodType<T>, without: T | undefined): Promise<T> {
  const text = await textOf(folder, file, without === undefined ? undefined : '');
  if (text === '' && without !== undefined) return without;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw unfit(file, messageOf(thrown));
  }
  const checked = schema.safeParse(value, PLAIN);
  if (checked.success) return checked.data;
  const problems = checked.error.issues.slice(0, 3).map(({ path, message }) => `${placeIn(value, path)}: ${message}`);
  const more = checked.error.issues.length - problems.length;
  throw unfit(file, `${problems.join('; ')}${more > 0 ? ` (and ${more} more)` : ''}`);
}

/** A place in a file for people: `item 2, "Speeds", outputs[0].tag`. */
function placeIn(value: unknown, place: readonly PropertyKey[]): string {
  const at = place.findIndex((step) => typeof step === 'number');
  const item = at < 0 ? '' : [...place.slice(0, at).map(String), `item ${Number(place[at]) + 1}`].join(' ');
  const parts = [item, itemAt(value, place), placeText(place.slice(at + 1))].filter((part) => part !== '');
  return parts.length === 0 ? 'the whole file' : parts.join(', ');
}

/** The name of the item of a file that contains a place, in quotes; '' if it has none. */
function itemAt(value: unknown, place: readonly PropertyKey[]): string {
  let [at, name] = [value, ''];
  for (const step of place) {
    at = typeof at === 'object' && at !== null ? Reflect.get(at, step) : null;
    if (typeof at !== 'object' || at === null) break;
    const given: unknown = Reflect.get(at, 'name') ?? Reflect.get(at, 'tag');
    if (name === '' && typeof given === 'string') name = `"${abbreviate(given, LONGEST_ITEM)}"`;
  }
  return name;
}

/** No text of the engine is longer. */
const MAX_BYTES = 512 * 1024 * 1024;

/** The text of a file or of what a link names: a device has no end, and a pipe may never have one. */
async function readText(path: string): Promise<string> {
  await using file = await handleOfPlain(path, constants.O_RDONLY, { links: true });
  const { size } = await file.stat();
  if (size > MAX_BYTES) throw new Error(`it has ${grouped(size)} bytes, and a file at most ${grouped(MAX_BYTES)}`);
  return await file.readFile('utf8');
}

/** Throws if there is no such file, unless `without` has a replacement. */
async function textOf(folder: string, file: string, without?: string): Promise<string> {
  try {
    return await readText(join(folder, file));
  } catch (thrown) {
    const missing = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
    if (missing && without !== undefined) return without;
    if (missing && file === MANIFEST) {
      const message = `"${folder}" contains no ${MANIFEST}. Choose a folder that "tagwright export" wrote.`;
      throw new TagwrightError('BAD_REQUEST', message, { cause: thrown });
    }
    throw unfit(file, `${messageOf(thrown).replace(/\.$/, '')}.`);
  }
}

/**
 * Throws BAD_REQUEST if two items of a folder have names that are equal in a workspace, regardless of case: an import
 * would only notice that halfway.
 */
function checkNames({ groups, scripts, rules, diagrams }: Omit<WorkspaceText, 'tags' | 'values'>): void {
  const { scripts: file } = FILES;
  // A group may occur as often as it has scripts, in one spelling.
  apart(file, 'groups', new Set([...groups, ...scripts.map(({ group }) => group)]));
  apart(
    file,
    'scripts',
    scripts.map(({ group, name }) => `${group}/${name}`),
  );
  for (const { file: body, tests, contexts } of scripts) {
    apart(testsFileOf(body), 'tests', namesOf(tests));
    apart(
      contextsFileOf(body),
      'contexts',
      contexts.flatMap(({ name }) => name ?? []),
    );
  }
  apart(FILES.rules, 'rules', namesOf(rules));
  apart(FILES.diagrams, 'Diagrams', namesOf(diagrams));
}

const namesOf = (things: readonly { name: string }[]): string[] => things.map(({ name }) => name);

function apart(file: string, what: string, names: Iterable<string>): void {
  const known = new Map<string, string>();
  for (const name of names) {
    const other = known.get(nameKey(name));
    if (other !== undefined) {
      const [one, two] = [abbreviate(other, LONGEST_ITEM), abbreviate(name, LONGEST_ITEM)];
      throw unfit(file, `two ${what} have the same name, "${one}" and "${two}" (names are not case-sensitive)`);
    }
    known.set(nameKey(name), name);
  }
}

/** A file of a folder that cannot be imported: BAD_REQUEST. */
function unfit(file: string, why: string): TagwrightError {
  return new TagwrightError('BAD_REQUEST', `"${file}" cannot be imported: ${why}`);
}
