import ivm from 'isolated-vm';
import { COMPUTING_BRIEFLY } from './computing.ts';
import { serveRounds } from './peer.ts';

/** Like fresh-context, with a body that computes for about 2 ms. */
const isolate = new ivm.Isolate({ memoryLimit: 128 });
const script = isolate.compileScriptSync(`(function () { ${COMPUTING_BRIEFLY} })()`);

serveRounds(() => {
  const context = isolate.createContextSync();
  script.runSync(context, { timeout: 5_000 });
  context.release();
});
