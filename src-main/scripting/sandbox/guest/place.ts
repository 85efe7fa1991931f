import { matchOnce, sliceText, stringify } from './primordials.ts';

/** An object on the way, and how it was reached. */
export interface Visit {
  object: object;
  parent: Visit | null;
  key: string | number;
  /** The object that was entered before it; null for the first. */
  before: Visit | null;
}

/**
 * The place of a value as a message names it: `the result.lines[3]`.
 * @param subject what the value as a whole is called
 * @param parent the object that holds it; null for the whole
 * @param last under which key
 */
export function placeOf(subject: string, parent: Visit | null, last: string | number): string {
  if (parent === null) return subject;
  let place = step(last);
  for (let visit = parent; visit.parent !== null; visit = visit.parent) place = step(visit.key) + place;
  return `${subject}${place}`;
}

function step(name: string | number): string {
  if (typeof name === 'number') return `[${name}]`;
  const shown = name.length > 100 ? `${sliceText(name, 0, 100)}…` : name;
  return matchOnce(/^[A-Za-z_$][\w$]*$/, shown) === null ? `[${stringify(shown)}]` : `.${shown}`;
}
