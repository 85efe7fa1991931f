import { Socket } from 'node:net';
import type { Pool, PoolClient } from 'pg';
import { TagwrightError } from '../../platform/errors.ts';
import { inSpan, sqlSpan } from '../../platform/telemetry/spans.ts';
import { hubError } from './hub-error.ts';
import { HUB_MIGRATIONS } from './migrations/index.ts';

export interface HubOptions {
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with the parameters of libpq such as `sslmode`. */
  url: string;
  /** Maximum number of connections. */
  connections: number;
  /** How PostgreSQL shows this connection in pg_stat_activity. */
  name: string;
  /** A query whose response takes longer loses its connection, ms. */
  queryMs?: number;
  /** Called when an idle connection is lost; it is replaced by the next query. */
  onLost?: (thrown: unknown) => void;
}

/** A statement may take this long, ms; COPY of a list sets another limit. */
const STATEMENT_MS = 30_000;
const CONNECT_MS = 10_000;
/** Any number, the same in all versions: migrations of one hub run one after another. */
const MIGRATION_LOCK = 7_213_480_116;

/**
 * The same address with `sslmode=verify-full` in place of each weaker mode that asks for encryption. The library already
 * treats these like `verify-full`, with a warning on stderr, and its next version will no longer check certificates for them.
 */
export function withCheckedCertificate(url: string): string {
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}

/** A hub: a pool of connections to its schema in PostgreSQL. The library is loaded when a hub is used. */
export class HubDatabase {
  readonly pool: Pool;
  readonly #sockets: ReadonlySet<Socket>;

  private constructor(pool: Pool, sockets: ReadonlySet<Socket>) {
    this.pool = pool;
    this.#sockets = sockets;
  }

  /** @throws TagwrightError BAD_REQUEST if the address is not one of PostgreSQL */
  static async open({ url, connections, name, queryMs, onLost }: HubOptions): Promise<HubDatabase> {
    if (!/^postgres(ql)?:\/\/[^/]/.test(url)) {
      throw new TagwrightError(
        'BAD_REQUEST',
        'The address of a hub is that of a PostgreSQL database: postgres://USER:PASSWORD@HOST:5432/DATABASE.',
      );
    }
    const { Pool: PgPool } = await import('pg');
    const sockets = new Set<Socket>();
    const stream = (): Socket => {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once('close', () => sockets.delete(socket));
    };
    const pool = new PgPool({
      connectionString: withCheckedCertificate(url),
      max: connections,
      application_name: name,
      connectionTimeoutMillis: CONNECT_MS,
      statement_timeout: STATEMENT_MS,
      keepAlive: true,
      stream,
      ...(queryMs !== undefined && { query_timeout: queryMs }),
      options: '-c search_path=tagwright',
    });
    pool.on('error', (error) => onLost?.(error));
    return new HubDatabase(pool, sockets);
  }

  /** Runs one statement. @throws TagwrightError UNAVAILABLE */
  query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#run<Row>({ text, values: [...values] });
  }

  /** Runs a statement that each connection prepares once under its name. @throws TagwrightError UNAVAILABLE */
  prepared<Row extends object>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    return this.#run<Row>({ name, text, values });
  }

  async #run<Row extends object>(query: { name?: string; text: string; values: unknown[] }): Promise<Row[]> {
    try {
      return await inSpan(sqlSpan('postgresql', operationOf(query.text)), async () => {
        return (await this.pool.query<Row>(query)).rows;
      });
    } catch (thrown) {
      throw hubError(thrown);
    }
  }

  /** Runs work with single statements, each on any connection. @throws TagwrightError UNAVAILABLE, and what the work throws */
  async statements<Result>(work: (client: Pick<PoolClient, 'query'>) => Promise<Result>): Promise<Result> {
    try {
      return await work(this.pool);
    } catch (thrown) {
      throw hubError(thrown);
    }
  }

  /**
   * Runs the work in one transaction of one connection; it is rolled back if the work throws. A connection whose
   * transaction failed is closed, because its state is unknown.
   * @param first statements at its begin, which take no additional message
   * @throws TagwrightError UNAVAILABLE, and what the work throws
   */
  transaction<Result>(work: (client: PoolClient) => Promise<Result>, first = ''): Promise<Result> {
    return this.#connected('keep', async (client) => {
      await client.query(`BEGIN; ${first}`);
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    });
  }

  /** Runs the work on one connection, which is closed after it, with its settings and cursors. @throws as `transaction` */
  session<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    return this.#connected('close', work);
  }

  async #connected<Result>(after: 'keep' | 'close', work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    let client: PoolClient;
    try {
      client = await this.pool.connect();
    } catch (thrown) {
      throw hubError(thrown);
    }
    // Without a listener, a connection that is lost between two statements would end this process.
    const ignore = () => undefined;
    client.on('error', ignore);
    let closes = true;
    try {
      const result = await work(client);
      closes = after === 'close';
      return result;
    } catch (thrown) {
      throw hubError(thrown);
    } finally {
      client.off('error', ignore);
      client.release(closes);
    }
  }

  /**
   * Creates the schema, or applies the steps that it lacks, in one transaction.
   * @returns the names of the applied steps
   * @throws TagwrightError WORKSPACE_NEWER if a newer version of Tagwright created the schema
   */
  migrate(): Promise<string[]> {
    return this.transaction(async (client) => {
      await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      await client.query(`CREATE SCHEMA IF NOT EXISTS tagwright;
        CREATE TABLE IF NOT EXISTS schema_steps (
          step integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now()
        )`);
      const { rows } = await client.query<{ steps: number }>('SELECT count(*)::integer AS steps FROM schema_steps');
      const applied = rows[0]?.steps ?? 0;
      checkVersion(applied);
      const steps = HUB_MIGRATIONS.slice(applied);
      for (const [at, { name, sql }] of steps.entries()) {
        await client.query(sql);
        await client.query('INSERT INTO schema_steps (step, name) VALUES ($1, $2)', [applied + at + 1, name]);
      }
      return steps.map(({ name }) => name);
    });
  }

  /** @throws TagwrightError UNAVAILABLE if the schema is older than this version, WORKSPACE_NEWER if it is newer */
  async check(): Promise<void> {
    const [row] = await this.query<{ steps: number }>('SELECT count(*)::integer AS steps FROM schema_steps');
    const steps = row?.steps ?? 0;
    checkVersion(steps);
    if (steps < HUB_MIGRATIONS.length) {
      throw new TagwrightError(
        'UNAVAILABLE',
        'An older version of Tagwright created the hub. Run "tagwright hub init" of this version with its address.',
      );
    }
  }

  /** Closes all connections immediately. Work that waits for a response fails. */
  abort(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.pool.end().catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}

function checkVersion(steps: number): void {
  if (steps <= HUB_MIGRATIONS.length) return;
  throw new TagwrightError(
    'WORKSPACE_NEWER',
    `A newer version of Tagwright created the hub (step ${steps}; this version knows ${HUB_MIGRATIONS.length}). Update Tagwright here.`,
  );
}

const operationOf = (statement: string): string => /^\s*(\w+)/.exec(statement)?.[1]?.toUpperCase() ?? '';
