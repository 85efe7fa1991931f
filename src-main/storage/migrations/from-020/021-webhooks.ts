/**
 * Webhooks and their deliveries. `key` is part of every message id, so that ids differ between workspaces. `secret` is
 * sealed; the previous one also signs until `old_until_ms`. `seq` is the place in the change feed: all changes up to it
 * have deliveries, or are not wanted. A delivery is written in the transaction that moves this place, and stays until
 * the log drops it.
 */
export const webhooks = `
CREATE TABLE webhooks (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  key          TEXT NOT NULL UNIQUE,
  name         TEXT NOT NULL,
  url          TEXT NOT NULL,
  enabled      INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  rule_ids     TEXT,
  changes      TEXT NOT NULL,
  content      TEXT NOT NULL CHECK (content IN ('thin', 'full')),
  format       TEXT NOT NULL CHECK (format IN ('plain', 'cloudevents')),
  secret       TEXT NOT NULL,
  old_secret   TEXT,
  old_until_ms INTEGER,
  seq          INTEGER NOT NULL,
  problem      TEXT,
  delivered_ms INTEGER,
  saved_at     TEXT NOT NULL
) STRICT;
CREATE TABLE webhook_deliveries (
  id               INTEGER PRIMARY KEY AUTOINCREMENT,
  webhook_id       INTEGER NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  message_id       TEXT NOT NULL,
  type             TEXT NOT NULL,
  event_id         INTEGER,
  state            TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'gap')),
  at_ms            INTEGER NOT NULL,
  attempts         INTEGER NOT NULL DEFAULT 0,
  next_ms          INTEGER CHECK ((next_ms IS NULL) = (state <> 'pending')),
  last_ms          INTEGER,
  status           INTEGER,
  ms               REAL,
  error            TEXT,
  request_headers  TEXT,
  request_body     TEXT NOT NULL,
  response_headers TEXT,
  response_body    TEXT,
  response_bytes   INTEGER
) STRICT;
CREATE UNIQUE INDEX webhook_deliveries_message ON webhook_deliveries (message_id) WHERE message_id <> '';
CREATE INDEX webhook_deliveries_log ON webhook_deliveries (webhook_id, id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_ms) WHERE state = 'pending';
`;
