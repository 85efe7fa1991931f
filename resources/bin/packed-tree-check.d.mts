/** What is wrong with a packed folder; nothing when it is right. */
export function problemsOf(folder: string): Promise<string[]>;
/** What is wrong with the applications that installers hold; nothing when a script runs in every one. */
export function problemsOfInstalled(installers: string): string[];
