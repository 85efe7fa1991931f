import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Completes package-lock.json after npm changed it (the script "dependencies" of package.json).
 *
 * better-sqlite3 contains its binaries and has "gypfile": false, so that it is not compiled. npm omits that from the
 * lock file, and `npm ci`, which reads only the lock file, would start node-gyp: an install that fails on every machine
 * without Python and a compiler.
 */
const file = new URL('../../package-lock.json', import.meta.url);
const text = readFileSync(file, 'utf8');
const lock = JSON.parse(text);
const entry = lock.packages?.['node_modules/better-sqlite3'];
if (entry !== undefined && entry.gypfile !== false) {
  entry.gypfile = false;
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
