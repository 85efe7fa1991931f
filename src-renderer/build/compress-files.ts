import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** The other files are compressed already. */
const COMPRESSIBLE = new Set(['.css', '.html', '.js', '.json', '.svg', '.ttf']);
/** A smaller file fits into the first packets anyway. Bytes. */
const LEAST = 2_048;

/** Writes `name.gz` next to each large file of the page; the host sends it instead. A first visit loads 10 MB of files. */
export function compressFiles(): Plugin {
  return {
    name: 'tagwright:compress-files',
    applyToEnvironment: ({ name }) => name === 'client',
    writeBundle({ dir = '' }) {
      for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
        const file = join(dir, name);
        if (!COMPRESSIBLE.has(extname(file)) || statSync(file).size < LEAST) continue;
        writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
      }
    },
  };
}
