import { join } from 'node:path';
import { plainRoot, productRoot } from './paths.ts';

/** The programs that run in threads and processes of their own, by the names of their bundles: their sources in `src-main`. */
export const PROGRAMS = {
  'backup-thread': 'storage/backups/backup-thread.ts',
  'capsule-thread': 'scripting/capsules/capsule-thread.ts',
  examination: 'storage/workspace/examination/child.ts',
  'instrument-thread': 'scripting/instrument/instrument-thread.ts',
  'long-credentials-thread': 'outbound/secrets/long-credentials-thread.ts',
  'mock-body-thread': 'outbound/mocks/recording/body-thread.ts',
  'pack-thread': 'scripting/journal/pack-thread.ts',
  'pattern-thread': 'scripting/search/pattern-thread.ts',
  'plant-host': 'storage/plant/child/index.ts',
  'workspace-copy': 'storage/workspace/copy/child.ts',
  'yaml-reader': 'outbound/mocks/yaml-reader.ts',
} as const;

/**
 * The file of such a program: bundled, or its source when running from sources.
 * @param root the folder of the product
 */
export function programFile(name: keyof typeof PROGRAMS, root: string = productRoot()): string {
  return import.meta.filename.endsWith('.ts')
    ? join(root, 'src-main', PROGRAMS[name])
    : join(plainRoot(root), 'out', 'main', `${name}.js`);
}
