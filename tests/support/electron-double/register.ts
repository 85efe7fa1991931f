import { registerHooks } from 'node:module';

/** Preloaded with --import: makes an import of `electron` return the double, in main and in the preload. */
const double = new URL('./electron.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: double, shortCircuit: true } : next(specifier, context),
});

if (process.env['DOUBLE_CDP']) await import('./chromium-windows.ts');
if (process.send) await import('./remote-control.ts');
