import { existsSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Does a task when it is due, and repeats it at the next open if the process ended before it was done: the marker file
 * exists from its beginning to its end.
 */
export async function once(marker: string, due: boolean, work: () => Promise<void>): Promise<void> {
  if (due) writeFileSync(marker, '', { mode: 0o600 });
  else if (!existsSync(marker)) return;
  await work();
  rmSync(marker);
}
