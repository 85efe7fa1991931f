const MB = 1024 * 1024;

/** Room for 100,000 tags with paths of the maximum length, and for a Set of large values. */
export const MAX_CALL_BYTES = 64 * MB;
/** Maximum length of one console entry in characters; a longer one is cut, and says so. */
export const MAX_CONSOLE_TEXT = 10_000;
/** Maximum length of all console entries of a run together, in characters; further entries are counted as dropped. */
export const MAX_CONSOLE_TOTAL = 32 * MB;
/** Maximum length of an error's message, and of its name, in characters. */
export const MAX_ERROR_TEXT = 10_000;
/** Maximum number of frames to keep of an error's stack. */
export const MAX_STACK_FRAMES = 50;
/** The number of calls of a run that carry their line: finding it takes a fifth of the shortest call. */
export const MAX_CALL_LINES = 500;
/** Maximum number of failures of a rejected Set in an error. */
export const MAX_FAILURES = 1_000;
/** Maximum length of these failures as JSON together, in characters, so that an error always fits its frame. */
export const MAX_FAILURES_TEXT = 300_000;
/**
 * Maximum number of tags of one Get or Set, one for each 64 bytes of a call: a tag costs main 2 to 3 µs, so a call up
 * to 3 s.
 */
export const MAX_CALL_TAGS = MAX_CALL_BYTES / 64;
/**
 * Maximum number of tags of all Gets and Sets of a run together: twice what main can process in the time of one run.
 */
export const MAX_RUN_TAGS = 20_000_000;
