/** The problems of a packed folder; empty if there are none. */
export function problemsOf(folder: string): Promise<string[]>;
/** The problems of the applications in installers; empty if a script runs in each of them. */
export function problemsOfInstalled(installers: string): string[];
