/**
 * The expression that a person points at in a line: a name, or a chain of members up to the one at the column
 * (`order.items[0].name`). Columns count from 1. Null where there is none. Calls are not included, because evaluating them
 * could change something.
 */
export function expressionAt(
  line: string,
  column: number,
): { text: string; startColumn: number; endColumn: number } | null {
  const chain = /(?:[\p{L}_$][\p{L}\p{N}_$]*)(?:\??\.[\p{L}_$][\p{L}\p{N}_$]*|\[(?:\d+|'[^'\]]*'|"[^"\]]*")\])*/gu;
  for (const { 0: text, index } of line.matchAll(chain)) {
    if (index + 1 > column) return null;
    if (index + text.length < column - 1) continue;
    // After a part that can't be evaluated alone: `f().name`.
    if (/[.\])]\s*$/.test(line.slice(0, index)) && /\.\s*$/.test(line.slice(0, index))) continue;
    const within = column - 1 - index;
    const rest = /^[\p{L}\p{N}_$]*(?:(?<=\[)(?:\d+|'[^']*'|"[^"]*")?)?\]?/u.exec(text.slice(within))?.[0] ?? '';
    const part = text.slice(0, within + rest.length).replace(/\??\.$/, '');
    if (KEYWORDS.has(part)) return null;
    return { text: part, startColumn: index + 1, endColumn: index + 1 + part.length };
  }
  return null;
}

const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'await break case catch class const continue debugger default delete do else export extends false finally for ' +
    'function if import in instanceof let new null of return static super switch throw true try typeof undefined var ' +
    'void while with yield'
  ).split(' '),
);
