import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { contextsBeside, contextsFile } from '#contract/run-contexts';
import { scriptTestsFile, testsBeside } from '#contract/script-tests';
import { messageOf, TagwrightError } from '../platform/errors.ts';
import { checkNames } from './check-names.ts';
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
import { unfit } from './unfit.ts';

export type WorkspaceText = Awaited<ReturnType<typeof readFolder>>;

/**
 * Reads and checks all files of a folder before anything is done with them. Files that are not there stand for nothing
 * of their sort. Throws BAD_REQUEST that names the file and the place in it, also where two names are one.
 */
export async function readFolder(folder: string) {
  await parsed(folder, MANIFEST, manifest, undefined);
  const { groups, scripts } = await parsed(folder, FILES.scripts, scriptsFile, { groups: [], scripts: [] });
  const bodies = await Promise.all(
    scripts.map(async ({ file, ...script }) => {
      if (!file.startsWith(`${BODIES}/`) || file.split('/').some((part) => part === '..' || part.includes('\\'))) {
        throw unfit(FILES.scripts, `"${file}" is not a file of the folder "${BODIES}"`);
      }
      const tests = await parsed(folder, testsBeside(file), scriptTestsFile, []);
      const contexts = await parsed(folder, contextsBeside(file), contextsFile, []);
      return { ...script, body: await textOf(folder, file), tests, contexts };
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
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw unfit(file, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'it has another shape'}`);
}

/** Throws where there is no such file, unless `without` says what stands for it. */
async function textOf(folder: string, file: string, without?: string): Promise<string> {
  try {
    return await readFile(join(folder, file), 'utf8');
  } catch (thrown) {
    const missing = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
    if (missing && without !== undefined) return without;
    if (missing && file === MANIFEST) {
      const message = `"${folder}" holds no ${MANIFEST}. Name a folder that "tagwright export" wrote.`;
      throw new TagwrightError('BAD_REQUEST', message, { cause: thrown });
    }
    throw unfit(file, `${messageOf(thrown)}.`);
  }
}
