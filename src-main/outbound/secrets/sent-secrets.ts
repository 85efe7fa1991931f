import { SecretMask } from './secret-mask.ts';
import type { SecretVault } from './secret-vault.ts';

/**
 * The values of named secrets that were sent: a remote server may reveal them to a script in any later response. They
 * are masked there as long as the workspace is open, even if a secret was changed or deleted since.
 */
export class SentSecrets {
  readonly #vault: Pick<SecretVault, 'value'>;
  readonly #values = new Set<string>();
  #mask = new SecretMask([]);

  constructor(vault: Pick<SecretVault, 'value'>) {
    this.#vault = vault;
  }

  /** The value of a secret for a request. Throws InvalidArgument if it is missing or unreadable. */
  readonly value = (name: string): string => {
    const value = this.#vault.value(name);
    this.add([value]);
    return value;
  };

  add(values: readonly string[]): void {
    const more = values.filter((value) => !this.#values.has(value));
    if (more.length === 0) return;
    for (const value of more) this.#values.add(value);
    this.#mask = new SecretMask(more, this.#mask);
  }

  /** Masks all of them. */
  get mask(): SecretMask {
    return this.#mask;
  }
}
