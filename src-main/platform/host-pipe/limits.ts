/** The deepest nesting of a result or a written value. */
export const MAX_JSON_DEPTH = 200;
/**
 * The cost to main of one part of a JSON text: 1 is about 30 ns and 25 bytes. An array or object costs as much as 8
 * integers. Numbers with a fraction or more than 9 digits need their own memory. A new text of up to 12 characters is
 * searched for among all texts of the engine. An object with a new sequence of names needs a hidden class.
 */
export const JSON_COST = {
  other: 1,
  container: 8,
  member: 1,
  longNumber: 2,
  text: 4,
  newText: 12,
  newShape: 50,
} as const;
/**
 * The maximum cost of one call or result: 8,000,000 numbers, 200,000 items of a Set, 100,000 objects of 10 integers or
 * 100,000 names of one object. Parsing blocks main for about a quarter of a second at most. The child rejects a script
 * that exceeds it; a host that sends more anyway is ended.
 */
export const MAX_JSON_COST = 8_000_000;
/** Texts up to this size cost at most 40 ms whatever they contain. */
export const UNSCANNED_BYTES = 128 * 1024;
