/** The result of applying the items of one kind. */
export interface Applied {
  created: number;
  updated: number;
  unchanged: number;
  deleted: number;
}

export const nothing = (): Applied => ({ created: 0, updated: 0, unchanged: 0, deleted: 0 });

/** Adds to an error what could not be imported. */
export async function named<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof Error) thrown.message = `The ${what} cannot be imported: ${thrown.message}`;
    throw thrown;
  }
}
