/**
 * The change feed of events. A row is one change, or the same change of events with consecutive ids: change `seq + n`
 * is that of event `event_id + n`. Kinds: 1 created, 2 disabled, 3 re-activated, 4 deleted. Deleted events are kept in
 * `events` as a JSON array, without their ids.
 */
export const eventChanges = `
CREATE TABLE event_changes (
  seq      INTEGER PRIMARY KEY,
  count    INTEGER NOT NULL CHECK (count > 0),
  kind     INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 4),
  event_id INTEGER NOT NULL,
  at_ms    INTEGER NOT NULL,
  events   TEXT CHECK ((events IS NULL) = (kind <> 4))
) STRICT;
CREATE INDEX event_changes_deleted ON event_changes (event_id) WHERE kind = 4;
-- The number of the last change before those in the table; before this step, of a range of numbers.
ALTER TABLE event_epoch RENAME COLUMN epoch TO before;
ALTER TABLE event_epoch RENAME TO event_feed;
`;
