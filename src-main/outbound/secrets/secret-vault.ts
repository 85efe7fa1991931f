import { distance } from 'fastest-levenshtein';
import { SECRET_LENGTH, SECRET_NAME, type SecretInfo } from '#domain/mock/api-secret';
import type { Clock } from '../../platform/clock.ts';
import { TagwrightError } from '../../platform/errors.ts';
import { Listeners } from '../../platform/events.ts';
import type { CommitQueue } from '../../storage/commit-queue.ts';
import type { SecretRepository, SecretRow } from '../../storage/repositories/secret-repository.ts';
import { InvalidArgument } from '../invalid-argument.ts';
import type { Sealer } from './sealer.ts';

/** Letters that differ in a name with a typing error: two are in the wrong order. */
const TYPING_ERRORS = 2;

export interface SecretVaultParts {
  secrets: SecretRepository;
  commits: CommitQueue;
  clock: Clock;
  sealer: Sealer;
}

/** The named secrets of scripts. Their values are only read here in main, when a call is sent. */
export class SecretVault {
  readonly #parts: SecretVaultParts;
  readonly #changes = new Listeners<{ name: string }>();

  constructor(parts: SecretVaultParts) {
    this.#parts = parts;
  }

  /** Called after a secret was set or deleted; the returned function removes the listener. */
  onChange(listener: (change: { name: string }) => void): () => void {
    return this.#changes.add(listener);
  }

  list(): SecretInfo[] {
    return this.#parts.secrets.all().map((row) => {
      const { name, changedAt } = row;
      return { name, changedAt, readable: this.#open(row) !== null };
    });
  }

  /** Sets a secret, durable when it resolves. BAD_REQUEST for an invalid name or value, which it never shows. */
  async set({ name, value }: { name: string; value: string }): Promise<void> {
    if (!SECRET_NAME.test(name)) {
      throw new TagwrightError(
        'BAD_REQUEST',
        `"${name.slice(0, 80)}" is not a valid secret name: use a letter, then letters, digits, _ . or -, at most 64 characters.`,
      );
    }
    const { min, max } = SECRET_LENGTH;
    if (value.length < min || value.length > max) {
      throw new TagwrightError(
        'BAD_REQUEST',
        `The value of ${name} has ${value.length} characters. It needs at least ${min}, so that it can be masked in logs, and at most ${max}.`,
      );
    }
    const { secrets, commits, clock, sealer } = this.#parts;
    const sealed = sealer.seal(name, value);
    await commits.run(() => secrets.put({ name, sealed, changedAt: clock.iso() }));
    this.#changes.emit({ name });
  }

  /** NOT_FOUND if the name does not exist. */
  async delete({ name }: { name: string }): Promise<void> {
    const { secrets, commits } = this.#parts;
    const found = await commits.run(() => secrets.delete(name));
    if (!found) throw new TagwrightError('NOT_FOUND', `No secret is named "${name.slice(0, 80)}".`);
    this.#changes.emit({ name });
  }

  /** The value, for a call to send. Throws InvalidArgument if it is missing or unreadable. */
  value(name: string): string {
    const row = this.#parts.secrets.get(name);
    if (row === null) {
      const near = this.#nearest(name);
      const hint = near === null ? 'set it with' : `did you mean ${near}? Otherwise set it with`;
      throw new InvalidArgument(`no secret is named ${name}; ${hint}: tagwright secrets set ${name}`);
    }
    const value = this.#open(row);
    if (value !== null) return value;
    throw new InvalidArgument(
      `the secret ${name} cannot be opened here: ${this.#parts.sealer.whyClosed(row.sealed)}; set it again: tagwright secrets set ${name}`,
    );
  }

  /** The values of all readable secrets, for a mask: only here in main. */
  values(): string[] {
    return this.#parts.secrets.all().flatMap((row) => this.#open(row) ?? []);
  }

  /** The name that a typing error would make of the given one. */
  #nearest(given: string): string | null {
    const key = given.toLowerCase();
    const far = this.#parts.secrets.all().map(({ name }) => ({ name, steps: distance(name.toLowerCase(), key) }));
    const [nearest] = far.toSorted((a, b) => a.steps - b.steps);
    return nearest !== undefined && nearest.steps <= TYPING_ERRORS ? nearest.name : null;
  }

  #open({ name, sealed }: SecretRow): string | null {
    return this.#parts.sealer.open(name, sealed);
  }
}
