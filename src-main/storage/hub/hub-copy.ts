import { once } from 'node:events';
import type { PoolClient } from 'pg';
import type { HubDatabase } from './hub-database.ts';
import { hubError } from './hub-error.ts';

export interface CopyOptions {
  /** Lists have a pool of their own: they hold their connection as long as their client reads. */
  lists: HubDatabase;
  /** Cancels statements. */
  hub: HubDatabase;
  /** How long the statement may take, ms. */
  ms: number;
}

/** How long a statement that was cancelled may take to end, ms. */
const CANCEL_MS = 2_000;
/** These bytes never occur in JSON: no value is quoted, and its backslashes stay as they are. */
const AS_IS = `(FORMAT csv, DELIMITER E'\\x02', QUOTE E'\\x01')`;

/**
 * The rows of a statement with one text column, each with a line feed, as PostgreSQL sends them. It reads no faster
 * than its consumer. A consumer that returns early cancels the statement, and the connection can be used again.
 * @throws TagwrightError UNAVAILABLE
 */
export async function* copyRows({ lists, hub, ms }: CopyOptions, statement: string): AsyncGenerator<Buffer> {
  const { to } = await import('pg-copy-streams');
  let client: PoolClient;
  try {
    client = await lists.pool.connect();
  } catch (thrown) {
    throw hubError(thrown);
  }
  const ignore = () => undefined;
  client.on('error', ignore);
  let isClean = false;
  try {
    await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${Math.round(ms)}`);
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const copy = client.query(to(`COPY (${statement}) TO STDOUT WITH ${AS_IS}`));
    let isOver = false;
    copy.on('error', ignore);
    try {
      for await (const chunk of copy.iterator({ destroyOnReturn: false })) if (Buffer.isBuffer(chunk)) yield chunk;
      isOver = true;
    } catch (thrown) {
      isOver = true;
      throw thrown;
    } finally {
      if (!isOver) isClean = await cancelled(hub, client, copy, rows[0]?.pid ?? 0);
    }
    await client.query('COMMIT');
    isClean = true;
  } catch (thrown) {
    throw hubError(thrown);
  } finally {
    client.off('error', ignore);
    client.release(!isClean);
  }
}

/** Whether the statement has ended, and its connection is as it was. */
async function cancelled(
  hub: HubDatabase,
  client: PoolClient,
  copy: NodeJS.ReadableStream,
  pid: number,
): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(CANCEL_MS);
    // Rejects with the error of the cancelled statement, as intended.
    const ended = once(copy, 'end', { signal }).catch((thrown: unknown) => {
      if (signal.aborted) throw thrown;
    });
    copy.resume();
    await Promise.all([ended, hub.query('SELECT pg_cancel_backend($1)', [pid])]);
    // A signal that comes after the end of the statement meets this one.
    await client.query('SELECT 1').catch(() => undefined);
    await client.query('ROLLBACK');
    return true;
  } catch {
    return false;
  }
}
