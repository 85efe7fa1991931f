/** Fills `folder` with the package for this system. */
export function packedTree(root: string, folder: string): Promise<{ files: number; bytes: number }>;
