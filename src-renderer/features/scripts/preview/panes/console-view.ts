import { CONSOLE_LEVELS, type ConsoleEntry, type ConsoleLevel, type ConsoleValue } from '#domain/run/run';

/** What the console shows; it stays from run to run. */
export interface ConsoleFilter {
  hidden: ReadonlySet<ConsoleLevel>;
  /** In any case; '' for all. */
  search: string;
}

export const WHOLE_CONSOLE: ConsoleFilter = { hidden: new Set(), search: '' };

/** A row of the console: equal entries in a row are one. */
export interface ConsoleRow {
  /** The index of its first entry. */
  index: number;
  entry: ConsoleEntry;
  count: number;
}

/** A logged object, as opposed to text. */
export type LoggedObject = Exclude<ConsoleValue, string>;

/** The entries that pass, with repetitions counted. */
export function consoleRows(entries: readonly ConsoleEntry[], { hidden, search }: ConsoleFilter): ConsoleRow[] {
  const wanted = search.trim().toLowerCase();
  const rows: ConsoleRow[] = [];
  for (const [index, entry] of entries.entries()) {
    if (hidden.has(entry.level) || (wanted !== '' && !entry.text.toLowerCase().includes(wanted))) continue;
    const last = rows.at(-1);
    if (last && last.index + last.count === index && isRepeated(last.entry, entry)) last.count += 1;
    else rows.push({ index, entry, count: 1 });
  }
  return rows;
}

/** Objects with the same text can differ deeper inside. */
function isRepeated(a: ConsoleEntry, b: ConsoleEntry): boolean {
  return a.text === b.text && a.level === b.level && a.line === b.line && !a.values && !b.values;
}

/** The levels that occur, with their numbers of entries. */
export function countLevels(entries: readonly ConsoleEntry[]): [level: ConsoleLevel, count: number][] {
  const counts = new Map<ConsoleLevel, number>();
  for (const { level } of entries) counts.set(level, (counts.get(level) ?? 0) + 1);
  return CONSOLE_LEVELS.flatMap((level) => (counts.has(level) ? [[level, counts.get(level) ?? 0]] : []));
}

/** The rows as text, for other programs. */
export function consoleText(rows: readonly ConsoleRow[]): string {
  return rows
    .flatMap(({ entry: { level, text, line }, count }) =>
      Array<string>(count).fill(`${level}${line === undefined ? '' : ` (line ${line})`}: ${text}`),
    )
    .join('\n');
}

/** One line of an unfolded object. `path` is the indexes of its members from the object down. */
export interface ValueLine {
  path: string;
  level: number;
  /** Null for the object itself. */
  name: string | null;
  text: string;
  /** Undefined for what does not unfold. */
  open?: boolean;
}

/** The lines of an object whose parts in `open` are unfolded. */
export function valueLines(value: LoggedObject, open: ReadonlySet<string>): ValueLine[] {
  const lines: ValueLine[] = [];
  const visit = (part: ConsoleValue, name: string | null, path: string, level: number): void => {
    if (typeof part === 'string') {
      lines.push({ path, level, name, text: part });
      return;
    }
    const { title, members, more } = part;
    const isOpen = open.has(path);
    const unfolds = members.length > 0;
    const text = unfolds && !isOpen ? `${title} ${peek(part)}` : more > 0 && !unfolds ? `${title} …` : title;
    lines.push({ path, level, name, text, ...(unfolds && { open: isOpen }) });
    if (!isOpen) return;
    for (const [index, [inner, member]] of members.entries()) visit(member, inner, `${path}.${index}`, level + 1);
    if (more > 0) {
      const rest = `… ${more.toLocaleString('en')} more not recorded`;
      lines.push({ path: `${path}.more`, level: level + 1, name: null, text: rest });
    }
  };
  visit(value, null, '0', 1);
  return lines;
}

const PEEKED = 5;
const PEEKED_TEXT = 30;

/** Its first members in one line. */
function peek({ title, members, more }: LoggedObject): string {
  const isList = /^(?:Array|Set|\w+Array) \(/.test(title);
  const shown = members.slice(0, PEEKED).map(([name, value]) => {
    const text = typeof value === 'string' ? value : value.title;
    const short = text.length > PEEKED_TEXT ? `${text.slice(0, PEEKED_TEXT)}…` : text;
    return isList ? short : `${name}: ${short}`;
  });
  if (members.length > PEEKED || more > 0) shown.push('…');
  return isList ? `[${shown.join(', ')}]` : `{${shown.join(', ')}}`;
}
