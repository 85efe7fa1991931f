import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import envPaths from 'env-paths';

// Before anything else is loaded: compiled code of the last start is used again.
enableCompileCache(join(envPaths('tagwright', { suffix: '' }).cache, 'compiled'));

// The launcher is gone, killed perhaps: nobody is left to stop this process, so it stops as on a request to end.
process.once('disconnect', () => {
  if (process.listenerCount('SIGTERM') === 0) process.exit(143);
  process.emit('SIGTERM', 'SIGTERM');
});
// Waiting for that keeps no command from ending.
process.channel?.unref();

const { main } = await import('./cli/main.ts');
await main(process.argv.slice(2));
