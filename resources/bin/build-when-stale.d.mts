/** Builds where needed; what went wrong, or null when there is a build to be used. */
export function buildWhenStale(root: string, node: string): Promise<string | null>;
