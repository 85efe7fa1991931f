/** Characters of a folder with its parents, its levels, and the characters of a name from another program. */
export const FOLDER_LIMITS = { text: 300, levels: 10, name: 60 } as const;

const namesIn = (folder: string): string[] =>
  folder
    .split('/')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** A typed folder as it is stored, such as `ERP/Orders`: without empty names and without spaces around names. */
export const tidyFolder = (text: string): string => namesIn(text).join('/');

/** Why no mock can be in a folder, which has the stored form; null if it can. */
export function problemOfFolder(folder: string): string | null {
  if (folder === '') return 'enter the name of a folder';
  if (folder.length > FOLDER_LIMITS.text) return `at most ${FOLDER_LIMITS.text} characters`;
  if (namesIn(folder).length > FOLDER_LIMITS.levels) return `at most ${FOLDER_LIMITS.levels} levels of folders`;
  return /[\p{Cc}\u2028\u2029]/u.test(folder) ? 'a folder has no line breaks or control characters' : null;
}

/** The folder for the names of folders of another program, outermost first; what no folder can have is shortened. */
export function folderOfNames(names: readonly string[]): string | undefined {
  let folder = '';
  for (const name of names.slice(0, FOLDER_LIMITS.levels)) {
    const plain = tidyFolder(name.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ').replaceAll('/', '-'));
    // Without half of a character at the end.
    const short = plain
      .slice(0, FOLDER_LIMITS.name)
      .replace(/[\uD800-\uDBFF]$/, '')
      .trim();
    const next = [folder, short].filter((part) => part !== '').join('/');
    if (next.length > FOLDER_LIMITS.text) break;
    folder = next;
  }
  return folder === '' ? undefined : folder;
}

/** The last name of a folder. */
export const nameOfFolder = (folder: string): string => folder.slice(folder.lastIndexOf('/') + 1);

/** The folder around a folder; `''` at the top. */
export const parentOfFolder = (folder: string): string => folder.slice(0, Math.max(0, folder.lastIndexOf('/')));

/** Whether a mock in `folder` is in `outer` or below it. */
export const isInFolder = (folder: string | undefined, outer: string): boolean =>
  folder === outer || (folder?.startsWith(`${outer}/`) ?? false);

/** Where the mocks of `folder` are after `from`, which contains it, became `to`; `''` is no folder. */
export const folderAfterRename = (folder: string, from: string, to: string): string =>
  tidyFolder(`${to}/${folder.slice(from.length)}`);
