const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]/g;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/**
 * The first name that an object of a JSON text has twice, at any depth; null if there is none. JSON.parse silently
 * keeps the last of them, other parsers the first, so that two programs would read different texts. The text must be
 * valid JSON. Names are compared after unescaping: `"\u0041ctive"` is `Active`.
 */
export function duplicateMember(text: string): string | null {
  /** The names of each object around the current place; null for arrays. */
  const around: (Set<string> | null)[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{') around.push(new Set());
    else if (token === '[') around.push(null);
    else if (token === '}' || token === ']') around.pop();
    else if (isName(text, index + token.length)) {
      const names = around.at(-1);
      const name: string = JSON.parse(token);
      if (names?.has(name)) return name;
      names?.add(name);
    }
  }
  return null;
}

/** Whether the string that ends there is the name of a member. */
function isName(text: string, end: number): boolean {
  let at = end;
  while (' \t\r\n'.includes(text.charAt(at)) && at < text.length) at += 1;
  return text.charAt(at) === ':';
}

/**
 * What parsing this JSON text would lose; null if nothing. JSON.parse keeps the last of two members with one
 * name, rounds numbers to 64 bits, and a member `__proto__` is lost when its object is copied. The text must be valid
 * JSON.
 */
export function lossInJson(text: string): string | null {
  const twice = duplicateMember(text);
  if (twice !== null) return `the member "${twice}" occurs more than once in one object`;
  for (const { 0: token, index } of text.matchAll(STRING_OR_NUMBER)) {
    if (token.startsWith('"')) {
      if (isName(text, index + token.length) && JSON.parse(token) === '__proto__') return 'a member is "__proto__"';
    } else if (exact(token) !== exact(String(Number(token)))) {
      return `the number ${token.length > 40 ? `${token.slice(0, 40)}…` : token} would be rounded to ${Number(token)}`;
    }
  }
  return null;
}

/** A number with its digits and exponent: the same for 5.10 and 5.1. */
function exact(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(
    number,
  ) ?? [number];
  const digits = whole + fraction;
  let [from, to] = [0, digits.length];
  while (from < to && digits[from] === '0') from += 1;
  while (to > from && digits[to - 1] === '0') to -= 1;
  if (from === to) return whole === '' ? number : '0';
  return `${sign}${digits.slice(from, to)}e${Number(exponent) + whole.length - from}`;
}
