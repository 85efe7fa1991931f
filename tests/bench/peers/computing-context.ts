import ivm from 'isolated-vm';
import { COMPUTING } from './computing.ts';
import { serveRounds } from './peer.ts';

/** As fresh-context, with a body that computes. */
const isolate = new ivm.Isolate({ memoryLimit: 128 });
const script = isolate.compileScriptSync(`(function () { ${COMPUTING} })()`);

serveRounds(() => {
  const context = isolate.createContextSync();
  script.runSync(context, { timeout: 5_000 });
  context.release();
});
