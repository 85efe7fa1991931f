const MB = 1024 * 1024;

/** Room for 100,000 tags with paths of the greatest length, and for a Set of large values. */
export const MAX_CALL_BYTES = 64 * MB;
/** The most characters of one console entry; what is over is cut, and the entry says so. */
export const MAX_CONSOLE_TEXT = 10_000;
/** The most characters of all console entries of a run together; entries beyond are counted as dropped. */
export const MAX_CONSOLE_TOTAL = 32 * MB;
/** The most characters of an error's message and of its name. */
export const MAX_ERROR_TEXT = 10_000;
/** The most frames of an error's stack that are kept. */
export const MAX_STACK_FRAMES = 50;
/** The calls of a run that carry their line: finding it takes as long as a fifth of the shortest call. */
export const MAX_CALL_LINES = 500;
/** The most failures of a refused Set that an error carries. */
export const MAX_FAILURES = 1_000;
/** The most characters that these failures take as JSON together, so that an error always fits its frame. */
export const MAX_FAILURES_TEXT = 300_000;
/** The most tags of one Get or Set, one for each 64 bytes of a call: a tag costs main 2 to 3 µs, so a call up to 3 s. */
export const MAX_CALL_TAGS = MAX_CALL_BYTES / 64;
/** The most tags of all Gets and Sets of a run together: twice as many as main can answer in the time of one run. */
export const MAX_RUN_TAGS = 20_000_000;
