const MB = 1024 * 1024;

/** Room for 100,000 tags with paths of the greatest length, and for a Set of large values. */
export const MAX_CALL_BYTES = 64 * MB;
/** The most characters of one console entry; what is over is cut, and the entry says so. */
export const MAX_CONSOLE_TEXT = 10_000;
/** The most characters of all console entries of a run together; entries beyond are counted as dropped. */
export const MAX_CONSOLE_TOTAL = 32 * MB;
/** The most characters of an error's message and of its name. */
export const MAX_ERROR_TEXT = 10_000;
/** The deepest nesting of a result or a written value. */
export const MAX_JSON_DEPTH = 200;
/** The most frames of an error's stack that are kept. */
export const MAX_STACK_FRAMES = 50;
/** The calls of a run that carry their line: finding it takes as long as a fifth of the shortest call. */
export const MAX_CALL_LINES = 500;
/** The most failures of a refused Set that an error carries. */
export const MAX_FAILURES = 1_000;
/** The most characters that these failures take as JSON together, so that an error always fits its frame. */
export const MAX_FAILURES_TEXT = 300_000;
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
/** The most tags of one Get or Set: unknown tags cost main about 1 µs each. */
export const MAX_CALL_TAGS = 250_000;
/** The most tags of all Gets and Sets of a run together: twice as many as main can answer in the time of one run. */
export const MAX_RUN_TAGS = 20_000_000;
