import ivm from 'isolated-vm';
import { serveRounds } from './peer.ts';

/** The usual design of products with isolated-vm: a separate isolate for every run. */
serveRounds(() => {
  const isolate = new ivm.Isolate({ memoryLimit: 128 });
  const context = isolate.createContextSync();
  isolate.compileScriptSync('(function () { return 1 + 1; })()').runSync(context, { timeout: 5_000 });
  isolate.dispose();
});
