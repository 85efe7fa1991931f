/** The deepest nesting of a result or a written value. */
export const MAX_JSON_DEPTH = 200;
/**
 * What one part of a JSON text costs main: 1 is about 30 ns and 25 bytes. An array or object costs as much as 8 whole
 * numbers. Numbers with a fraction or more than 9 digits have memory of their own. A new text of up to 12 characters is
 * searched for among all texts of the engine. An object whose names, in their order, are new takes a hidden class.
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
 * The most that one call or result may cost: 8,000,000 numbers, 200,000 items of a Set, 100,000 objects of 10 whole numbers or
 * 100,000 names of one object. Parsing holds main for about a quarter of a second at most. The child refuses a script
 * that goes over it; a host that sends more anyway is ended.
 */
export const MAX_JSON_COST = 8_000_000;
/** Texts up to this size cost at most 40 ms whatever is in them. */
export const UNSCANNED_BYTES = 128 * 1024;
