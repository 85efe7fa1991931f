const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]]/g;

/**
 * The first name that an object of a JSON text has twice, at any depth; null when there is none. JSON.parse keeps the
 * last of them in silence, other parsers the first, so that two programs would read two texts. The text must be valid
 * JSON. Names are compared as they read: `"\u0041ctive"` is `Active`.
 */
export function duplicateMember(text: string): string | null {
  /** The names of each object around the place; null for arrays. */
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
