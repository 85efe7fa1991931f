/** A clock that is put back by no more than this, ms, has only been corrected: everything goes on. */
export const CORRECTION_MS = 2_000;
