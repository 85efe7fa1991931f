import { safeStorage } from 'electron';
import type { SecretCipher } from '../outbound/secrets/secret-cipher.ts';
import { SYSTEM_CIPHER } from '../outbound/secrets/secret-cipher.ts';

/**
 * Seals secrets with the keychain of the system, if it has a secure one: on Linux without a keyring, Electron would use
 * a publicly known key. Undefined there: the key file of the workspace is better.
 */
export function safeStorageCipher(): SecretCipher | undefined {
  if (!safeStorage.isEncryptionAvailable()) return undefined;
  if (process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text') return undefined;
  return {
    id: SYSTEM_CIPHER,
    // The name is sealed too, so that sealed values cannot be exchanged.
    seal: (name, value) => safeStorage.encryptString(JSON.stringify([name, value])).toString('base64'),
    open: (name, sealed) => {
      const opened: unknown = JSON.parse(safeStorage.decryptString(Buffer.from(sealed, 'base64')));
      if (Array.isArray(opened) && opened[0] === name && typeof opened[1] === 'string') return opened[1];
      throw new Error('sealed for another secret');
    },
  };
}
