import Database from 'better-sqlite3';

const PROBLEM =
  'This workspace is a copy, so its webhooks are disabled and have other ids. Rotate the secret, then enable the webhook.';

/**
 * Disables the webhooks of a copied database, and drops their deliveries: receivers would get other events with ids that
 * they know. Another key makes the ids of its messages different, and its sealed secret unreadable.
 */
export function disableWebhooks(file: string): void {
  const database = new Database(file, { fileMustExist: true });
  try {
    const isThere = database.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'webhooks'`).get();
    if (!isThere || !database.prepare('SELECT 1 FROM webhooks').get()) return;
    database.transaction(() => {
      database.exec('DELETE FROM webhook_deliveries');
      database
        .prepare<[string]>(
          `UPDATE webhooks SET enabled = 0, problem = ?, key = lower(hex(randomblob(12))), old_secret = NULL,
             old_until_ms = NULL, delivered_ms = NULL`,
        )
        .run(PROBLEM);
    })();
  } finally {
    database.close();
  }
}

/**
 * A hub that mirrors the original rejects a copied database, which otherwise could take its place until the next step
 * of either.
 */
export function separateFromHub(file: string): void {
  const database = new Database(file, { fileMustExist: true });
  try {
    const isThere = database.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'hub_mirror'`).get();
    if (isThere) database.exec(`UPDATE hub_mirror SET last_step = 'copied', next_step = 'copied', rejoin = 0`);
  } finally {
    database.close();
  }
}
