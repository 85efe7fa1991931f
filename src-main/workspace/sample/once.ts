import { existsSync, rmSync } from 'node:fs';
import { firstBytesOf, writePlain } from '../../platform/files/plain-file.ts';

/** Seals the content of a marker, so that no other program can make one. */
export interface MarkerSeal {
  /** Throws if there is no key. */
  seal(name: string, value: string): string;
  /** null if it was not sealed with this key. */
  open(name: string, sealed: string): string | null;
}

const MARKER = 'sample.unfinished';
const MOST_BYTES = 1_024;

/**
 * Does a task when it is due, and repeats it at the next open if the process ended before it was done: a marker file
 * exists from its beginning to its end. A marker of another program, such as a compromised host that runs SQL, is
 * deleted. Without a key there is no marker.
 */
export async function once(marker: string, due: boolean, seal: MarkerSeal, work: () => Promise<void>): Promise<void> {
  if (due) {
    const sealed = sealedBy(seal);
    if (sealed !== null) writePlain(marker, sealed);
  } else if (!existsSync(marker)) {
    return;
  } else if (seal.open(MARKER, firstBytesOf(marker, MOST_BYTES)?.toString() ?? '') === null) {
    rmSync(marker, { force: true });
    return;
  }
  await work();
  rmSync(marker, { force: true });
}

function sealedBy(seal: MarkerSeal): string | null {
  try {
    return seal.seal(MARKER, '');
  } catch {
    return null;
  }
}
