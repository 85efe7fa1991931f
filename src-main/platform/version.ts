import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version of the product in a folder, `0.0.0` if its manifest has none. */
export function productVersion(root: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : '0.0.0';
}
