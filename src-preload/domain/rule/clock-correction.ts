/** A clock that is set back by at most this, ms, counts as corrected, without consequences. */
export const CORRECTION_MS = 2_000;
