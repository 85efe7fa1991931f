import ivm from 'isolated-vm';
import { serveRounds } from './peer.ts';

/** How many bodies one of two processes has. */
export const FRESH_BODIES = 500;

/**
 * The minimum cost of many scripts: a fresh context of a warm isolate for each, and bodies that are compiled already.
 * Its rate is that of all bodies together.
 */
function serve(): void {
  const isolate = new ivm.Isolate({ memoryLimit: 128 });
  const scripts = Array.from({ length: FRESH_BODIES }, (_, index) =>
    isolate.compileScriptSync(`(function () { return ${index} + 1; })()`),
  );
  serveRounds(() => {
    for (const script of scripts) {
      const context = isolate.createContextSync();
      script.runSync(context, { timeout: 5_000 });
      context.release();
    }
  });
}

if (process.argv[1] === import.meta.filename) serve();
