/** A block of a .bru file: `headers { … }`, or `headers: { … }` inside an example. */
export interface BruBlock {
  name: string;
  /** Its content, without the indentation. */
  text: string;
}

const MOST_BLOCKS = 1_000;

/** Whether a text has the form of a .bru file. */
export function isBru(text: string): boolean {
  return /^(?:meta|get|post|put|delete|patch|options|head|vars|headers|auth)(?::[\w-]+)?\s*\{\s*$/m.test(text);
}

/** The blocks at the start of lines; a block ends with a `}` at the start of a line. */
export function bruBlocks(text: string): BruBlock[] {
  const blocks: BruBlock[] = [];
  let open: { name: string; lines: string[] } | null = null;
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (open !== null) {
      if (/^[}\]]\s*$/.test(line)) {
        blocks.push({ name: open.name, text: dedented(open.lines) });
        open = null;
      } else open.lines.push(line);
    } else {
      const name = /^([\w:-]{1,60}?):?\s*[{[]\s*$/.exec(line)?.[1];
      if (name !== undefined) open = { name, lines: [] };
    }
    if (blocks.length > MOST_BLOCKS) throw new Error(`it has more than ${MOST_BLOCKS} blocks`);
  }
  if (open !== null) throw new Error(`its block "${open.name}" does not end`);
  return blocks;
}

/** The text of the first block with this name; '' without one. */
export const bruText = (blocks: readonly BruBlock[], name: string): string =>
  blocks.find((block) => block.name === name)?.text ?? '';

/** `name: value` on each line; names with a `~` are turned off. */
export function bruPairs(text: string): [name: string, value: string][] {
  return text.split('\n').flatMap((line): [string, string][] => {
    const pair = /^([^\s:~][^:]{0,200}):\s*(.*)$/.exec(line.trim());
    return pair === null ? [] : [[(pair[1] ?? '').trim(), (pair[2] ?? '').trim()]];
  });
}

/** The value of a member that may have several lines between `'''`. */
export function bruValue(text: string, name: string): string | null {
  const long = new RegExp(`^${name}:\\s*'''\\n?([\\s\\S]*?)\\n?\\s*'''\\s*$`, 'm').exec(text)?.[1];
  if (long !== undefined) return dedented(long.split('\n'));
  return bruPairs(text).find(([one]) => one === name)?.[1] ?? null;
}

function dedented(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^ */.exec(line)?.[0].length ?? 0);
  const least = indents.reduce((one, other) => Math.min(one, other), Infinity);
  return lines.map((line) => line.slice(Math.min(least, line.length))).join('\n');
}
