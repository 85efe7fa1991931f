import { existsSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Does a work when it is due, and again at the next open when the process ended before it was done: the marker file
 * stands from its beginning to its end.
 */
export async function once(marker: string, due: boolean, work: () => Promise<void>): Promise<void> {
  if (due) writeFileSync(marker, '', { mode: 0o600 });
  else if (!existsSync(marker)) return;
  await work();
  rmSync(marker);
}
