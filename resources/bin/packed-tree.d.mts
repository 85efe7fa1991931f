/** Fills `folder` with what is packaged for this system. */
export function packedTree(root: string, folder: string): Promise<{ files: number; bytes: number }>;
