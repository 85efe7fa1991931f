/** A value that is available now or later: if there is nothing to wait for, it costs no turn of the event loop. */
export type MaybePromise<T> = T | Promise<T>;
