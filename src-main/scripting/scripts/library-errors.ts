import { distance } from 'fastest-levenshtein';
import type { Script } from '#domain/run/script';
import { TagwrightError } from '../../platform/errors.ts';

const LIST_THEM = ' List the scripts to see the existing ones.';

/** The errors of the script library, each with what to do next. */

interface NamedScript {
  group: string;
  name: string;
}

export function unknownId(id: number): TagwrightError {
  return new TagwrightError('NOT_FOUND', `No script has the id ${id}.${LIST_THEM}`, {
    data: { id },
  });
}

/** `deleted` is the id of a deleted script with that name. */
export function unknownName(
  ref: NamedScript,
  known: readonly NamedScript[],
  deleted: number | undefined,
): TagwrightError {
  if (deleted !== undefined) {
    return new TagwrightError(
      'NOT_FOUND',
      `"${nameOf(ref)}" was deleted. Restore it (id ${deleted}) to use it again.`,
      { data: { suggestions: [], deleted } },
    );
  }
  const suggestions = nearestNames(nameOf(ref), known.map(nameOf));
  return new TagwrightError(
    'NOT_FOUND',
    `No script is named "${nameOf(ref)}".${didYouMean(suggestions) || LIST_THEM}`,
    {
      data: { suggestions },
    },
  );
}

export function unknownGroup(name: string, known: readonly string[]): TagwrightError {
  const suggestions = nearestNames(name, known);
  return new TagwrightError('NOT_FOUND', `No script group is named "${name}".${didYouMean(suggestions)}`, {
    data: { suggestions },
  });
}

export function wasDeleted(script: NamedScript & { id: number }): TagwrightError {
  return new TagwrightError('NOT_FOUND', `"${nameOf(script)}" was deleted. Restore it first.`, {
    data: { deleted: script.id },
  });
}

export function editedElsewhere(current: Script): TagwrightError {
  const { version } = current;
  return new TagwrightError(
    'CONFLICT',
    `"${nameOf(current)}" was saved in another window (version ${version}). Compare the two, then save again on top ` +
      `of version ${version}.`,
    { data: { current: { ...current } } },
  );
}

export function nameTaken(taken: NamedScript & { id: number }): TagwrightError {
  return new TagwrightError(
    'CONFLICT',
    `A script named "${nameOf(taken)}" already exists. Choose another name, or open that one.`,
    { data: { id: taken.id } },
  );
}

export function cannotRestore(script: NamedScript, takenBy: number): TagwrightError {
  return new TagwrightError(
    'CONFLICT',
    `"${nameOf(script)}" cannot be restored: another script has its name now. Rename or delete that one first.`,
    { data: { id: takenBy } },
  );
}

export function groupNameTaken(name: string): TagwrightError {
  return new TagwrightError('CONFLICT', `A group named "${name}" already exists. Choose another name.`);
}

export function groupInUse(name: string, scripts: number): TagwrightError {
  const count = scripts === 1 ? '1 script' : `${scripts} scripts`;
  return new TagwrightError('CONFLICT', `"${name}" contains ${count}. Move or delete them first.`, {
    data: { scripts },
  });
}

function nameOf({ group, name }: NamedScript): string {
  return `${group}/${name}`;
}

/** The names that are nearest to one that was not found, best first; only those within a typing error. */
function nearestNames(wanted: string, names: readonly string[], count = 3): string[] {
  const key = wanted.toLowerCase();
  const reach = Math.max(2, Math.floor(wanted.length * 0.4));
  return names
    .map((name) => ({ name, far: distance(key, name.toLowerCase()) }))
    .filter(({ far }) => far <= reach)
    .toSorted((a, b) => a.far - b.far)
    .slice(0, count)
    .map(({ name }) => name);
}

/** ` Did you mean "a" or "b"?`, or nothing. */
function didYouMean(suggestions: readonly string[]): string {
  if (suggestions.length === 0) return '';
  return ` Did you mean ${suggestions.map((name) => `"${name}"`).join(' or ')}?`;
}
