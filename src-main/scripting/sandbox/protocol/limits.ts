const MB = 1024 * 1024;

/** Room for 100,000 tags with paths of the maximum length, and for a Set of large values. */
export const MAX_CALL_BYTES = 64 * MB;
/** Maximum length of one console entry in characters; a longer one is cut, and says so. */
export const MAX_CONSOLE_TEXT = 10_000;
/** Maximum length of the console entries that are kept of a run together, in characters; earlier ones are dropped. */
export const MAX_CONSOLE_TOTAL = 32 * MB;
/** The same for entries that a host keeps before it sends them. */
export const MAX_CONSOLE_LATE = 16 * MB;
/**
 * A host sends the first entries at once; later ones at the end, and after this time, then twice that time, and so on, in
 * ms: a script may write more than main could read.
 */
export const CONSOLE_LATE_MS = 250;
export const MAX_CONSOLE_LATE_MS = 4_000;
/** Number of entries of a run that carry their line: finding it takes 5 µs. */
export const MAX_CONSOLE_LINES = 10_000;
/** Maximum length of the logged objects of one entry as JSON, in characters; a part of one is counted, not sent. */
export const MAX_CONSOLE_VALUES = 20_000;
/** The same of all entries of a run together; later entries have only their text. */
export const MAX_CONSOLE_VALUES_TOTAL = 8 * MB;
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
/** Maximum length of the path, and of the reason, of an item that the guest has rejected, in characters. */
export const MAX_REJECTED_TEXT = 2_000;
/**
 * Maximum number of tags of one Get or Set, one for each 64 bytes of a call: a tag costs main 2 to 3 µs, so a call up
 * to 3 s.
 */
export const MAX_CALL_TAGS = MAX_CALL_BYTES / 64;
/**
 * Maximum number of tags of all Gets and Sets of a run together: twice what main can process in the time of one run.
 */
export const MAX_RUN_TAGS = 20_000_000;

/** Maximum number of Gets that main sends ahead with one response. */
export const MAX_AHEAD = 24;
/** How long a host may use them, in ms of its monotonic clock: they are valid within one ms of the system's clock. */
export const MAX_AHEAD_MS = 2;

/** The number of statements of a body that can be counted. */
export const MAX_COVERED = 50_000;
/** Random bytes of one request of the guest: the limit of `crypto.getRandomValues`. A request takes about 60 µs. */
export const MAX_RANDOM_BYTES = 65_536;
