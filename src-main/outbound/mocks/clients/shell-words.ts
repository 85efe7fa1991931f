/** The maximum number of words of a text. */
const MOST_WORDS = 50_000;

/**
 * The words of the commands in a text, as a POSIX shell (and bash, with `$'…'`) reads them, without expansion. Throws an
 * Error for a quote that does not end.
 */
export function shellCommands(text: string): string[][] {
  const commands: string[][] = [[]];
  let word: string | null = null;
  let count = 0;
  let at = 0;
  const end = () => {
    if (word === null) return;
    count += 1;
    if (count > MOST_WORDS) throw new Error(`it has more than ${MOST_WORDS} words`);
    commands.at(-1)?.push(word);
    word = null;
  };
  const add = (part: string) => {
    word = (word ?? '') + part;
  };
  while (at < text.length) {
    const char = text[at] ?? '';
    const two = text.slice(at, at + 2);
    if (two === '\\\n' || text.startsWith('\\\r\n', at)) {
      at += two === '\\\n' ? 2 : 3;
    } else if (char === '\\') {
      add(text[at + 1] ?? '');
      at += 2;
    } else if (two === "$'") {
      const [part, next] = ansiQuoted(text, at + 2);
      add(part);
      at = next;
    } else if (char === "'") {
      const close = text.indexOf("'", at + 1);
      if (close < 0) throw new Error('a quote does not end');
      add(text.slice(at + 1, close));
      at = close + 1;
    } else if (char === '"') {
      const [part, next] = doubleQuoted(text, at + 1);
      add(part);
      at = next;
    } else if (/[;&|\n]/.test(char)) {
      end();
      if (commands.at(-1)?.length !== 0) commands.push([]);
      at += 1;
    } else if (/\s/.test(char)) {
      end();
      at += 1;
    } else if (char === '#' && word === null) {
      const line = text.indexOf('\n', at);
      at = line < 0 ? text.length : line;
    } else {
      const [plain = char] = /^[^\s\\'"$;&|]+/.exec(text.slice(at, at + 1_024)) ?? [];
      add(plain);
      at += plain.length;
    }
  }
  end();
  return commands.filter(({ length }) => length > 0);
}

function doubleQuoted(text: string, from: number): [part: string, next: number] {
  const parts: string[] = [];
  for (let at = from; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '"') return [parts.join(''), at + 1];
    if (char !== '\\') parts.push(char);
    else {
      at += 1;
      const next = text[at] ?? '';
      if (next !== '\n') parts.push(/["\\$`]/.test(next) ? next : `\\${next}`);
    }
  }
  throw new Error('a quote does not end');
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', a: '\u0007', b: '\b', f: '\f', v: '\v' };

function ansiQuoted(text: string, from: number): [part: string, next: number] {
  const parts: string[] = [];
  let at = from;
  while (at < text.length) {
    const char = text[at] ?? '';
    if (char === "'") return [parts.join(''), at + 1];
    const code = /^\\(?:u([\da-f]{1,4})|U([\da-f]{1,6})|x([\da-f]{1,2}))/i.exec(text.slice(at, at + 10));
    if (code !== null) {
      const point = Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16);
      parts.push(point <= 0x10_ff_ff ? String.fromCodePoint(point) : '\ufffd');
      at += code[0].length;
    } else if (char === '\\') {
      const next = text[at + 1] ?? '';
      parts.push(ESCAPES[next] ?? next);
      at += 2;
    } else {
      parts.push(char);
      at += 1;
    }
  }
  throw new Error('a quote does not end');
}
