/** What a procedure without a result returns. */
export type Done = Record<string, never>;

export const done: Done = {};
