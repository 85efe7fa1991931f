import { existsSync, rmSync } from 'node:fs';
import { writePlain } from '../../platform/files/plain-file.ts';

/**
 * Does a task when it is due, and repeats it at the next open if the process ended before it was done: the marker file
 * exists from its beginning to its end.
 */
export async function once(marker: string, due: boolean, work: () => Promise<void>): Promise<void> {
  if (due) writePlain(marker, '');
  else if (!existsSync(marker)) return;
  await work();
  rmSync(marker);
}
