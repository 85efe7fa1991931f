import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/**
 * Preloaded with --import: makes an import of `electron` return the double, in main and in the preload. Threads of main
 * are plain Node, as in Electron, and the option is passed on to them.
 */
const double = new URL('./electron.ts', import.meta.url).href;

if (isMainThread) {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'electron' ? { url: double, shortCircuit: true } : next(specifier, context),
  });
  if (process.env['DOUBLE_CDP']) await import('./chromium-windows.ts');
  if (process.send) await import('./remote-control.ts');
}
