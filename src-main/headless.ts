import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import envPaths from 'env-paths';

// Before anything else is loaded: reuses the compiled code of the last start.
enableCompileCache(join(envPaths('tagwright', { suffix: '' }).cache, 'compiled'));

// The launcher has ended, maybe killed: nothing is left to stop this process, so it stops as if requested.
process.once('disconnect', () => {
  if (process.listenerCount('SIGTERM') === 0) process.exit(143);
  process.emit('SIGTERM', 'SIGTERM');
});
// Waiting for that does not keep a command from ending.
process.channel?.unref();

const { main } = await import('./cli/main.ts');
await main(process.argv.slice(2));
