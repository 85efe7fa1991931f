/** The id of ciphers that use the key store of the system. */
export const SYSTEM_CIPHER = 'system';

/** Encrypts the values of secrets for the disk. The desktop brings one that uses the keychain of the system. */
export interface SecretCipher {
  /** Stands before what it sealed, so that nothing is opened with the wrong one. */
  readonly id: string;
  seal(name: string, value: string): string;
  /** Throws where this installation cannot read it. */
  open(name: string, sealed: string): string;
}
