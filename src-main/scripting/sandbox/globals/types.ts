import type { createCrypto } from './crypto.ts';

/**
 * The libraries behind the standard globals. Each is bundled alone, as a function that runs the library in the realm
 * and returns its exports; the guest has them as `standardLibraries` (build/guest-source.ts).
 */
export interface StandardLibraries {
  base64(): object;
  encoding(): object;
  url(): object;
  clone(): object;
  crypto(): { createCrypto: typeof createCrypto };
}
