/**
 * What a site knows about its mirror in a hub. The id of the next step is stored before the hub commits that step, so
 * that the hub's id is always one of the two. `hub_applied` has the changes of gateways that were applied here and that
 * the hub may still show as wanted.
 */
export const hub = `
CREATE TABLE hub_mirror (
  id        INTEGER PRIMARY KEY CHECK (id = 1),
  last_step TEXT,
  next_step TEXT,
  rejoin    INTEGER NOT NULL DEFAULT 0 CHECK (rejoin IN (0, 1))
) STRICT;
INSERT INTO hub_mirror (id) VALUES (1);
CREATE TABLE hub_applied (
  key      INTEGER NOT NULL,
  event_id INTEGER NOT NULL,
  PRIMARY KEY (key, event_id)
) STRICT, WITHOUT ROWID;
`;
