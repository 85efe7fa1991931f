import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { chmodSync, closeSync, fsyncSync, lstatSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { TagwrightError } from '../../platform/errors.ts';
import { readPlain } from '../../platform/files/plain-file.ts';
import { codeOf, storageError } from '../../storage/storage-error.ts';
import type { SecretCipher } from './secret-cipher.ts';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM with its own key in a file that only its owner can read (mode 0600), created at the first open of the
 * workspace, or when the first secret is sealed. The name of a secret is authenticated too, so that sealed values cannot be exchanged.
 */
export class KeyFileCipher implements SecretCipher {
  readonly id = 'key-file';
  readonly #file: string;
  #key: Buffer | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  /** Creates the key if there is none. Throws CONFLICT for an unusable key file, or STORAGE_FULL. */
  ensureKey(): Buffer {
    return this.#readKey() ?? this.#makeKey();
  }

  seal(name: string, value: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.ensureKey(), iv);
    cipher.setAAD(Buffer.from(name));
    const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
  }

  open(name: string, sealed: string): string {
    const key = this.#readKey();
    if (key === null) throw new Error('the key file is missing');
    const bytes = Buffer.from(sealed, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(name));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  }

  #readKey(): Buffer | null {
    if (this.#key !== null) return this.#key;
    let key: Buffer;
    try {
      // Users may put it elsewhere, and a link in its place.
      key = Buffer.from(readPlain(this.#file, { links: true }).trim(), 'base64');
      // A copy of the folder may have lost the mode.
      if ((statSync(this.#file).mode & 0o077) !== 0) chmodSync(this.#file, 0o600);
    } catch (thrown) {
      // A dangling link would block a new key.
      if (codeOf(thrown) === 'ENOENT' && !isThere(this.#file)) return null;
      throw this.#noKey(`cannot be read (${codeOf(thrown)})`, thrown);
    }
    if (key.length !== KEY_BYTES) throw this.#noKey('is not a key of Tagwright');
    return (this.#key = key);
  }

  #noKey(why: string, cause?: unknown): TagwrightError {
    return new TagwrightError(
      'CONFLICT',
      `"${this.#file}" ${why}. Restore the correct file, or delete it and set the secrets again.`,
      { cause },
    );
  }

  #makeKey(): Buffer {
    const key = randomBytes(KEY_BYTES);
    let file: number | null = null;
    try {
      file = openSync(this.#file, 'wx', 0o600);
      writeSync(file, `${key.toString('base64')}\n`);
      fsyncSync(file);
    } catch (thrown) {
      // A partial key would block a whole one once there is room again.
      if (file !== null) rmSync(this.#file, { force: true });
      throw storageError(thrown, this.#file);
    } finally {
      if (file !== null) closeSync(file);
    }
    return (this.#key = key);
  }
}

const isThere = (file: string) => lstatSync(file, { throwIfNoEntry: false }) !== undefined;
