/**
 * The key that names of the same kind must not share: names of groups, scripts, tests, rules and Diagrams ignore case,
 * so that a workspace can be stored as files on any system.
 */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
