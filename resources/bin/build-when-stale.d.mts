/** Builds where needed; what went wrong, or null when there is a build to be used. */
export function buildWhenStale(root: string, node: string): Promise<string | null>;

/** Whether Tagwright is built in this folder at all: not in a package, and not if TAGWRIGHT_NO_BUILD=1. */
export function isBuiltHere(root: string): boolean;

/** Whether every part of the build is newer than every source. */
export function isFresh(root: string): boolean;
