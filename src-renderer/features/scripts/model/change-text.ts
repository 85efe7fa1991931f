import type { ScriptText } from '#domain/run/script';

/** The changes of a save in a few words: `Lines 3 to 5 changed, renamed from “Old”`. */
export function changeText(before: ScriptText | null, after: ScriptText): string {
  if (before === null) return 'The first version';
  const parts = [
    bodyChange(before.body, after.body),
    before.name === after.name ? '' : `renamed from “${before.name}”`,
    before.group === after.group ? '' : `moved from “${before.group}”`,
    before.description === after.description ? '' : 'description changed',
  ].filter((part) => part !== '');
  const text = parts.join(', ');
  return text === '' ? 'Nothing changed' : `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
}

/** The changed lines, from the first difference to the last. */
function bodyChange(before: string, after: string): string {
  if (before === after) return '';
  const [old, now] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, now.length);
  let first = 0;
  while (first < shorter && old[first] === now[first]) first += 1;
  let same = 0;
  while (same < shorter - first && old.at(-1 - same) === now.at(-1 - same)) same += 1;
  const [removed, added] = [old.length - first - same, now.length - first - same];
  if (removed === 0) return `${countOf(added)} added at line ${first + 1}`;
  if (added === 0) return `${countOf(removed)} removed at line ${first + 1}`;
  if (removed === 1 && added === 1) return `line ${first + 1} changed`;
  const lines = added === 1 ? `line ${first + 1}` : `lines ${first + 1} to ${first + added}`;
  return removed === added ? `${lines} changed` : `${lines} in place of ${countOf(removed)}`;
}

const countOf = (lines: number): string => `${lines.toLocaleString('en')} ${lines === 1 ? 'line' : 'lines'}`;
