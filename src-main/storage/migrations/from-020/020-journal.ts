/**
 * The journal: what led to each change, written in its transaction. A row has the entries of one commit, as a JSON array;
 * its id is that of the first one. Rows are not indexed: blocks of them list what they are about. Times are ms since
 * 1970 in UTC.
 */
export const journal = `
CREATE TABLE journal (
  id      INTEGER PRIMARY KEY,
  at_ms   INTEGER NOT NULL,
  entries TEXT NOT NULL
) STRICT;
-- Rows from first_id to last_id. Tags are their ids, each 4 bytes; rows are the first and the last data row by rule,
-- events the first and the last id of ranges, runs those that made changes, each 4 bytes.
CREATE TABLE journal_blocks (
  first_id INTEGER PRIMARY KEY,
  last_id  INTEGER NOT NULL,
  first_ms INTEGER NOT NULL,
  last_ms  INTEGER NOT NULL,
  bytes    INTEGER NOT NULL,
  rows     TEXT NOT NULL,
  events   TEXT NOT NULL,
  runs     BLOB NOT NULL,
  tags     BLOB NOT NULL
) STRICT;
-- The runs that changed something, and those that are stored in full: content is a capsule without its hash, as JSON,
-- compressed with deflate.
CREATE TABLE journal_runs (
  id      INTEGER PRIMARY KEY,
  at_ms   INTEGER NOT NULL,
  parent  INTEGER,
  pinned  INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
  details TEXT NOT NULL,
  content BLOB
) STRICT;
CREATE INDEX journal_runs_by_parent ON journal_runs (parent) WHERE parent IS NOT NULL;
-- Ids up to this one are given, although their entries are gone; since when there is data.
CREATE TABLE journal_state (
  one      INTEGER PRIMARY KEY CHECK (one = 1),
  last_id  INTEGER NOT NULL,
  since_ms INTEGER
) STRICT;
INSERT INTO journal_state (one, last_id) VALUES (1, 0);
`;
