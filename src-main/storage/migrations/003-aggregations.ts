/** Rules, the samples of their windows, and events. Each rule has a result table, which is not created here. */
export const aggregations = `
-- The result table is named once and keeps its name. A deleted rule keeps its row: its table, or what is still to be
-- dropped of it, belongs to it, and events name its id.
CREATE TABLE rules (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  name            TEXT NOT NULL,
  name_key        TEXT NOT NULL,
  enabled         INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  triggers_events INTEGER NOT NULL CHECK (triggers_events IN (0, 1)),
  definition      TEXT NOT NULL CHECK (json_valid(definition)),
  result_table    TEXT NOT NULL UNIQUE,
  saved_at        TEXT NOT NULL,
  deleted_at      TEXT,
  drop_rows       INTEGER NOT NULL DEFAULT 0 CHECK (drop_rows IN (0, 1))
) STRICT;
CREATE UNIQUE INDEX rules_by_name ON rules (name_key) WHERE deleted_at IS NULL;

-- What is known of a rule's open window up to a batch of samples; batches after it are still to be counted in.
CREATE TABLE open_windows (
  rule_id  INTEGER PRIMARY KEY REFERENCES rules (id) ON DELETE CASCADE,
  batch_id INTEGER NOT NULL,
  state    TEXT NOT NULL CHECK (json_valid(state))
) STRICT;

-- Samples as they were taken, a batch of a rule to a row; times are ms since 1970 in UTC.
CREATE TABLE window_samples (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  rule_id INTEGER NOT NULL REFERENCES rules (id) ON DELETE CASCADE,
  from_ms INTEGER NOT NULL,
  to_ms   INTEGER NOT NULL,
  count   INTEGER NOT NULL,
  samples TEXT NOT NULL
) STRICT;
CREATE INDEX window_samples_by_rule ON window_samples (rule_id);

-- Ids are never used again. event_date_time is local time with offset and ms, at_ms the same moment in UTC.
CREATE TABLE events (
  id                     INTEGER PRIMARY KEY AUTOINCREMENT,
  rule_id                INTEGER NOT NULL,
  event_date_time        TEXT NOT NULL,
  at_ms                  INTEGER NOT NULL,
  active                 INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  result_table_name      TEXT NOT NULL,
  result_table_record_id INTEGER NOT NULL
) STRICT;
CREATE INDEX events_active ON events (id) WHERE active = 1;
CREATE INDEX events_disabled ON events (id) WHERE active = 0;
CREATE INDEX events_by_rule ON events (rule_id);
CREATE INDEX events_by_time ON events (at_ms);

-- Which stretch of numbers the versions of the event list are taken from: a new one for every process that changes it.
CREATE TABLE event_epoch (
  one   INTEGER PRIMARY KEY CHECK (one = 1),
  epoch INTEGER NOT NULL
) STRICT;
INSERT INTO event_epoch (one, epoch) VALUES (1, 0);
`;
