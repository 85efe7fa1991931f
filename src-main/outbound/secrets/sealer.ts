import { join } from 'node:path';
import { KeyFileCipher } from './key-file-cipher.ts';
import type { SecretCipher } from './secret-cipher.ts';
import { SYSTEM_CIPHER } from './secret-cipher.ts';

/** Seals values for the disk, each bound to a name, and opens values that any of its ciphers has sealed. */
export class Sealer {
  readonly #ciphers: readonly [SecretCipher, ...SecretCipher[]];

  /** @param ciphers the first one seals, all of them open */
  constructor(ciphers: readonly [SecretCipher, ...SecretCipher[]]) {
    this.#ciphers = ciphers;
  }

  /** Throws CONFLICT for an unusable key file, or STORAGE_FULL. */
  seal(name: string, value: string): string {
    const [cipher] = this.#ciphers;
    return `${cipher.id}:${cipher.seal(name, value)}`;
  }

  /** Why `open` returns null, as the end of a sentence. */
  whyClosed(sealed: string): string {
    const id = sealed.slice(0, sealed.indexOf(':'));
    if (id === SYSTEM_CIPHER && !this.#ciphers.some((cipher) => cipher.id === id)) {
      return 'it was sealed by the desktop application with the key store of the system, which the command line cannot use';
    }
    return 'it was sealed on another machine, by another user, or with another secrets.key than the current one';
  }

  /** null if this installation cannot open it: it is damaged, or was sealed with another key. */
  open(name: string, sealed: string): string | null {
    const at = sealed.indexOf(':');
    const cipher = this.#ciphers.find(({ id }) => id === sealed.slice(0, at));
    try {
      return cipher?.open(name, sealed.slice(at + 1)) ?? null;
    } catch {
      return null;
    }
  }
}

/**
 * Creates the key file of a workspace if there is none, before a program that can create files in the folder, such as a
 * host that runs SQL, could create one and know the key of later secrets. Throws CONFLICT for an unusable key file, or
 * STORAGE_FULL.
 */
export function ensureKeyFile(directory: string): void {
  keyFileOf(directory).ensureKey();
}

const keyFileOf = (directory: string) => new KeyFileCipher(join(directory, 'secrets.key'));

/** The sealer of a workspace: the system's key store if there is one, else a key file in the folder. */
export function sealerOf(directory: string, cipher?: SecretCipher): Sealer {
  const keyFile = keyFileOf(directory);
  return new Sealer(cipher ? [cipher, keyFile] : [keyFile]);
}
