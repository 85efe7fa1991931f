import type { BigIntStats } from 'node:fs';
import { statSync } from 'node:fs';

/** Distinguishes a file from one that has replaced it, whatever its name. */
export type FileIdentity = string;

/** Null if the path leads to no file, such as a link to itself. */
export function identityOf(path: string): FileIdentity | null {
  try {
    const stats: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? null : `${stats.dev}:${stats.ino}`;
  } catch {
    return null;
  }
}
