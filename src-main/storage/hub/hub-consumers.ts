import type { HubDatabase } from './hub-database.ts';

export const CONSUMER_RIGHTS = ['read', 'disable', 'delete'] as const;
export type ConsumerRight = (typeof CONSUMER_RIGHTS)[number];

/** A consumer of gateways. */
export interface HubConsumer {
  id: string;
  name: string;
  /** Null: all sites. */
  sites: string[] | null;
  rights: ConsumerRight[];
}

export interface StoredConsumer extends HubConsumer {
  keyHash: Buffer;
}

const FIELDS = 'id, name, sites, rights';

/** The keys of consumers in a hub. All functions @throw TagwrightError UNAVAILABLE. */
export class HubConsumers {
  readonly #hub: HubDatabase;

  constructor(hub: HubDatabase) {
    this.#hub = hub;
  }

  /** The consumers with these ids that exist and are not revoked. */
  find(ids: readonly string[]): Promise<StoredConsumer[]> {
    return this.#hub.query<StoredConsumer>(
      `SELECT ${FIELDS}, key_hash AS "keyHash" FROM consumers WHERE id = ANY($1) AND revoked_at IS NULL`,
      [ids],
    );
  }

  /** False if the name is taken. */
  async add({ id, name, sites, rights, keyHash }: StoredConsumer): Promise<boolean> {
    const added = await this.#hub.query(
      `INSERT INTO consumers (id, name, sites, rights, key_hash) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (name) DO NOTHING RETURNING id`,
      [id, name, sites, rights, keyHash],
    );
    return added.length > 0;
  }

  /** By name, also revoked ones. */
  list(): Promise<(HubConsumer & { addedAt: Date; revokedAt: Date | null })[]> {
    return this.#hub.query(
      `SELECT ${FIELDS}, added_at AS "addedAt", revoked_at AS "revokedAt" FROM consumers ORDER BY name`,
    );
  }

  /** False if there is no such name. */
  async revoke(name: string): Promise<boolean> {
    const revoked = await this.#hub.query(
      'UPDATE consumers SET revoked_at = coalesce(revoked_at, now()) WHERE name = $1 RETURNING id',
      [name],
    );
    return revoked.length > 0;
  }

  /** The names that are not sites of the hub. */
  async unknownSites(names: readonly string[]): Promise<string[]> {
    const known = await this.#hub.query<{ site: string }>('SELECT site FROM sites WHERE site = ANY($1)', [names]);
    return names.filter((name) => !known.some(({ site }) => site === name));
  }
}
