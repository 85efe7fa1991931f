export interface JsonToken {
  sort: 'name' | 'string' | 'number' | 'word' | 'sign';
  text: string;
  /** Its position in the line, from 0. */
  at: number;
}

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)|([^"\d\-tfn]+|.)/g;
const LONGEST = 5_000;

/** The tokens of one line of formatted JSON. A line of more than 5,000 characters is cut off for display. */
export function jsonTokens(line: string): JsonToken[] {
  const shown = line.length > LONGEST ? line.slice(0, LONGEST) : line;
  const tokens = [...shown.matchAll(TOKEN)].flatMap(
    ({ 0: text, 1: string, 2: colon, 3: number, 4: word, index: at }) => {
      const token = (sort: JsonToken['sort']): JsonToken => ({ sort, text, at });
      if (string !== undefined && colon !== undefined) {
        const name: JsonToken = { sort: 'name', text: string, at };
        const sign: JsonToken = { sort: 'sign', text: colon, at: at + string.length };
        return [name, sign];
      }
      if (string !== undefined) return [token('string')];
      if (number !== undefined) return [token('number')];
      return [token(word === undefined ? 'sign' : 'word')];
    },
  );
  if (shown !== line) tokens.push({ sort: 'sign', text: ` … ${line.length - LONGEST} more characters`, at: LONGEST });
  return tokens;
}
