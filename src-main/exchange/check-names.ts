import { nameKey } from '#domain/text/name-key';
import type { WorkspaceText } from './read-folder.ts';
import { unfit } from './unfit.ts';
import { FILES } from './folder-format.ts';

/**
 * Throws BAD_REQUEST where two things of a folder have names that are one in a workspace, whatever the letter case: an
 * import would only meet that half-way.
 */
export function checkNames({ groups, scripts, rules, diagrams }: Omit<WorkspaceText, 'tags' | 'values'>): void {
  const { scripts: file } = FILES;
  // A group may be named as often as it has scripts, in one way of writing it.
  apart(file, 'groups', new Set([...groups, ...scripts.map(({ group }) => group)]));
  apart(
    file,
    'scripts',
    scripts.map(({ group, name }) => `${group}/${name}`),
  );
  for (const { group, name, tests } of scripts) apart(`${group}/${name}`, 'tests', namesOf(tests));
  apart(FILES.rules, 'rules', namesOf(rules));
  apart(FILES.diagrams, 'Diagrams', namesOf(diagrams));
}

const namesOf = (things: readonly { name: string }[]): string[] => things.map(({ name }) => name);

function apart(file: string, what: string, names: Iterable<string>): void {
  const known = new Map<string, string>();
  for (const name of names) {
    const other = known.get(nameKey(name));
    if (other !== undefined) {
      throw unfit(file, `two ${what} have one name, "${other}" and "${name}" (letter case does not tell them apart)`);
    }
    known.set(nameKey(name), name);
  }
}
