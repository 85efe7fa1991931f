import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Waits until the disk has all of a file. */
export function syncFile(path: string): void {
  sync(path, 'r+');
}

/** Waits until the disk has the names in a folder, where the system can be asked that. */
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
