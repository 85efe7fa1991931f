import { z } from 'zod';
import { abbreviate } from '#domain/text/abbreviate';

/** The result of applying the items of one kind. */
export interface Applied {
  created: number;
  updated: number;
  unchanged: number;
  deleted: number;
}

export const nothing = (): Applied => ({ created: 0, updated: 0, unchanged: 0, deleted: 0 });

/** An item of a folder: its file, and its name for people, such as `rule "Speeds"`; '' for the whole file. */
export interface FolderItem {
  file: string;
  item: string;
}

/** Characters of an item in an error. */
export const LONGEST_ITEM = 200;

/** Adds to an error the file and the item that could not be imported, and the fields if it does not name them. */
export async function named<T>({ file, item }: FolderItem, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof Error) {
      const fields = fieldsOf(thrown).filter((field) => !thrown.message.includes(field));
      const where = [abbreviate(item, LONGEST_ITEM), ...fields].filter((part) => part !== '').join(', ');
      thrown.message = `"${file}" cannot be imported: ${where === '' ? '' : `${where}: `}${thrown.message}`;
    }
    throw thrown;
  }
}

const issues = z.object({
  data: z.object({ issues: z.array(z.object({ path: z.array(z.union([z.string(), z.number()])) })) }),
});

/** The fields that an error is about. */
function fieldsOf(thrown: Error): string[] {
  const checked = issues.safeParse(thrown);
  return checked.success ? checked.data.data.issues.slice(0, 3).map(({ path }) => path.join('.')) : [];
}
