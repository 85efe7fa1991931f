import type { BigIntStats } from 'node:fs';
import { statSync } from 'node:fs';

/** Tells one file from another that has taken its place, whatever it is called. */
export type FileIdentity = string;

/** Null where the path leads to no file, such as a link that leads to itself. */
export function identityOf(path: string): FileIdentity | null {
  try {
    const stats: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? null : `${stats.dev}:${stats.ino}`;
  } catch {
    return null;
  }
}
