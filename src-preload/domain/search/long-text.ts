import type { Matcher } from './query.ts';

/** In place of the second unit of a pair, so that no match begins in the middle of a character. */
const SECOND_UNIT = 0x110000;

/**
 * Finds a long text in time that is proportional to both texts: Knuth, Morris and Pratt. The searches of the engine are
 * faster for usual texts, but compare nearly all of a text such as `aaa…b` at every place of another one.
 */
export function longTextMatches(text: string, matchCase: boolean): Matcher {
  const fold = matchCase ? (code: number) => code : folding();
  const wanted = foldedUnits(text, fold);
  const borders = bordersOf(wanted);
  return function* occurrences(searched) {
    const units = foldedUnits(searched, fold);
    let matched = 0;
    for (let at = 0; at < units.length; at += 1) {
      while (matched > 0 && units[at] !== wanted[matched]) matched = borders[matched - 1] ?? 0;
      if (units[at] === wanted[matched]) matched += 1;
      if (matched < wanted.length) continue;
      yield { start: at + 1 - matched, end: at + 1 };
      matched = 0;
    }
  };
}

/** For each beginning of the units: the length of the longest shorter beginning with which it ends. */
function bordersOf(units: Uint32Array): Uint32Array {
  const borders = new Uint32Array(units.length);
  let length = 0;
  for (let at = 1; at < units.length; at += 1) {
    while (length > 0 && units[at] !== units[length]) length = borders[length - 1] ?? 0;
    if (units[at] === units[length]) length += 1;
    borders[at] = length;
  }
  return borders;
}

/** One number for each unit, so that offsets stay. */
function foldedUnits(text: string, fold: (code: number) => number): Uint32Array {
  const units = new Uint32Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at) ?? 0;
    units[at] = fold(code);
    if (code > 0xffff) {
      at += 1;
      units[at] = SECOND_UNIT;
    }
  }
  return units;
}

/** Gives characters that differ only in case the same number, as the flags `iu` of an expression do. */
function folding(): (code: number) => number {
  const known = new Map<number, number>();
  return (code) => {
    if (code < 0x80) return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
    let folded = known.get(code);
    if (folded === undefined) {
      folded = foldOf(String.fromCodePoint(code));
      known.set(code, folded);
    }
    return folded;
  };
}

function foldOf(character: string): number {
  const same = new RegExp(`^\\u{${codeOf(character).toString(16)}}$`, 'iu');
  // Upper case first: "ς" and "σ" have the same. Some have several characters there, and are the same as none.
  const folded = [character.toUpperCase().toLowerCase(), character.toLowerCase()].find((other) => same.test(other));
  return codeOf(folded ?? character);
}

const codeOf = (character: string): number => character.codePointAt(0) ?? 0;
