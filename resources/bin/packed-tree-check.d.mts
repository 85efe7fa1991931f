/** What is wrong with a packed folder; nothing when it is right. */
export function problemsOf(folder: string): Promise<string[]>;
