import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Waits until all of a file is on the disk. */
export function syncFile(path: string): void {
  sync(path, 'r+');
}

/** Waits until the names in a folder are on the disk, if the system supports that. */
export function syncFolder(path: string): void {
  if (process.platform !== 'win32') sync(path, 'r');
}

function sync(path: string, flags: 'r' | 'r+'): void {
  const handle = openSync(path, flags);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
