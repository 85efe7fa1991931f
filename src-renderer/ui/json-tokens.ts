export interface JsonToken {
  sort: 'name' | 'string' | 'number' | 'word' | 'sign';
  text: string;
}

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)|([^"\d\-tfn]+|.)/g;
const LONGEST = 5_000;

/** The parts of one line of formatted JSON. A line of more than 5,000 characters is cut for the eye. */
export function jsonTokens(line: string): JsonToken[] {
  const shown = line.length > LONGEST ? line.slice(0, LONGEST) : line;
  const tokens = [...shown.matchAll(TOKEN)].flatMap(([whole, string, colon, number, word]): JsonToken[] => {
    if (string !== undefined && colon !== undefined) {
      return [
        { sort: 'name', text: string },
        { sort: 'sign', text: colon },
      ];
    }
    if (string !== undefined) return [{ sort: 'string', text: string }];
    if (number !== undefined) return [{ sort: 'number', text: number }];
    if (word !== undefined) return [{ sort: 'word', text: word }];
    return [{ sort: 'sign', text: whole }];
  });
  if (shown !== line) tokens.push({ sort: 'sign', text: ` … ${line.length - LONGEST} more characters` });
  return tokens;
}
