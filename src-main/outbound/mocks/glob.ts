/**
 * Whether a text matches a pattern in which `*` stands for any number of characters. The time is proportional to both
 * lengths at most, for any pattern: it is not converted to a regular expression.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  let at = 0;
  let inText = 0;
  let star = -1;
  let starAt = 0;
  while (inText < text.length) {
    if (pattern[at] === '*') {
      star = at;
      starAt = inText;
      at += 1;
    } else if (at < pattern.length && pattern[at] === text[inText]) {
      at += 1;
      inText += 1;
    } else if (star >= 0) {
      at = star + 1;
      starAt += 1;
      inText = starAt;
    } else {
      return false;
    }
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
