import ivm from 'isolated-vm';
import { serveRounds } from './peer.ts';

/** The minimum cost of a fresh realm: one context of a warm isolate, one body, and nothing else. */
const isolate = new ivm.Isolate({ memoryLimit: 128 });
const script = isolate.compileScriptSync('(function () { return 1 + 1; })()');

serveRounds(() => {
  const context = isolate.createContextSync();
  script.runSync(context, { timeout: 5_000 });
  context.release();
});
