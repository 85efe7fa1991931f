import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import envPaths from 'env-paths';

// Before anything else is loaded: compiled code of the last start is used again.
enableCompileCache(join(envPaths('tagwright', { suffix: '' }).cache, 'compiled'));

const { main } = await import('./headless/cli/main.ts');
await main(process.argv.slice(2));
