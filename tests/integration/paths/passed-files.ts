import { Session } from 'node:inspector';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(import.meta.dirname, '../../../src-main');

/** A source file of main, from its folder: null for one that paths do not count. */
export function countedFile(path: string): string | null {
  const file = relative(ROOT, path).replaceAll('\\', '/');
  return file.startsWith('..') || file.startsWith('platform/') ? null : file;
}

/** How often the functions of this process ran, by V8's precise coverage. */
export class PassedFiles {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }

  /** The files with a function that ran at least that often since the last call. */
  take(times = 1): string[] {
    const files = new Set<string>();
    this.#session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error) throw error;
      for (const { url, functions } of result) {
        const file = url.startsWith('file:') ? countedFile(fileURLToPath(url)) : null;
        if (file !== null && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) >= times)) files.add(file);
      }
    });
    return [...files];
  }
}
