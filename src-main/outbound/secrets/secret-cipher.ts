/** The id of ciphers that use the key store of the system. */
export const SYSTEM_CIPHER = 'system';

/** Encrypts the values of secrets for the disk. The desktop provides one that uses the keychain of the system. */
export interface SecretCipher {
  /** Prefix of sealed values, so that none is opened with the wrong cipher. */
  readonly id: string;
  seal(name: string, value: string): string;
  /** Throws if this installation cannot read it. */
  open(name: string, sealed: string): string;
}
