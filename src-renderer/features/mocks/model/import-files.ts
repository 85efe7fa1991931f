import { IMPORT_LIMITS } from '#domain/mock/mock';
import { type PlacedFile, textOf } from '../../../support/files.ts';

/** What an import reads: a text, or several files with their paths. */
export interface ChosenFiles {
  /** For people: the name of the only file, `3 files`, or the folder. */
  name: string;
  text: string;
  files?: { path: string; text: string }[];
}

/** The problems of files, by their paths. */
export class FilesError extends Error {
  override readonly name = 'FilesError';
  readonly problems: readonly { path: string; message: string }[];

  constructor(problems: readonly { path: string; message: string }[], all: number) {
    super(`${problems.length} of ${all} ${all === 1 ? 'file' : 'files'} cannot be read.`);
    this.problems = problems;
  }
}

const OTHERS = /\.(?:json|ya?ml|har)$/i;
const IGNORED = /(?:^|\/)(?:\.[^/]*|node_modules)\//;

/**
 * The files to import: of a folder its .bru files, or without such files all documents. The path begins below a folder
 * that contains all of them. Throws an Error if there are none, or too many.
 */
export function filesToImport<Given extends { path: string; file: { size: number } }>(
  given: readonly Given[],
): Given[] {
  const isFolder = given.some(({ path }) => path.includes('/'));
  const [root = ''] = given[0]?.path.split('/') ?? [];
  const isWhole = isFolder && given.every(({ path }) => path.startsWith(`${root}/`));
  const inside = isWhole ? given.map((one) => ({ ...one, path: one.path.slice(root.length + 1) })) : [...given];
  const usual = inside.filter(({ path }) => !IGNORED.test(path));
  const bru = usual.filter(({ path }) => path.endsWith('.bru'));
  const chosen = !isFolder ? inside : bru.length > 0 ? bru : usual.filter(({ path }) => OTHERS.test(path));
  if (given.length > 0 && chosen.length === 0) {
    throw new Error(`“${root}” has no .bru, JSON, YAML or HAR files. Choose the folder of a collection.`);
  }
  const bytes = chosen.reduce((sum, { file }) => sum + file.size, 0);
  if (chosen.length > IMPORT_LIMITS.files || bytes > IMPORT_LIMITS.text) {
    const most = `${IMPORT_LIMITS.files.toLocaleString('en')} files and ${IMPORT_LIMITS.text / 1_048_576} MB`;
    throw new Error(`An import has at most ${most}. Import the folders in it one by one.`);
  }
  return chosen;
}

/** Reads what was chosen; null if it is nothing. Throws FilesError with the problem of each file, and other Errors. */
export async function readChosen(given: readonly PlacedFile[]): Promise<ChosenFiles | null> {
  const chosen = filesToImport(given);
  const problems: { path: string; message: string }[] = [];
  const files: { path: string; text: string }[] = [];
  for (const { path, file } of chosen) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- thousands of files at once are too many for a browser
      files.push({ path, text: (await textOf(file)).text });
    } catch (error) {
      problems.push({ path, message: error instanceof Error ? error.message : String(error) });
    }
  }
  if (problems.length > 0) throw new FilesError(problems, chosen.length);
  const [first] = files;
  if (!first) return null;
  const folder = given[0]?.path.includes('/') === true ? `${given[0].path.split('/')[0]}: ` : '';
  if (files.length === 1 && folder === '') return { name: first.path, text: first.text };
  return { name: `${folder}${files.length} ${files.length === 1 ? 'file' : 'files'}`, text: '', files };
}
