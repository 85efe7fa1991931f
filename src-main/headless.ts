import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import envPaths from 'env-paths';

/** The commands whose process stays. */
const SERVING = new Set(['start', 'serve']);

// Before anything else is loaded: reuses the compiled code of the last start.
enableCompileCache(join(envPaths('tagwright', { suffix: '' }).cache, 'compiled'));

// The launcher has ended, maybe killed: nothing is left to stop this process, so it stops as if requested.
process.once('disconnect', () => {
  if (process.listenerCount('SIGTERM') === 0) process.exit(143);
  process.emit('SIGTERM', 'SIGTERM');
});
// Waiting for that does not keep a command from ending.
process.channel?.unref();

const args = process.argv.slice(2);
try {
  await (await import('./cli/early-host.ts')).startHostFor(args);
} catch {
  // The command reports why there is no host.
}

// A command that ends soon checks few values: compiling the checks, as zod does on first use, takes longer than they do.
if (!SERVING.has(args[0] ?? '')) (await import('zod/v4/core')).config({ jitless: true });

const { main } = await import('./cli/main.ts');
await main(args);
