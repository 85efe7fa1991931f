/**
 * What two names of one sort must not share: names of groups, scripts, tests, rules and Diagrams are one whatever the
 * letter case, so that a workspace can be kept as files on any system.
 */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
