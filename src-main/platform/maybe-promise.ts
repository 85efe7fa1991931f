/** A value that is there already, or will be: what has no need to wait does not cost a turn of the event loop. */
export type MaybePromise<T> = T | Promise<T>;
