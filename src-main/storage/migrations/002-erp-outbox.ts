/** The records that were sent through ERP tags. */
export const erpOutbox = `
-- A record outlives its tag: it was sent. tag_id (ids are never used again) is null once the tag is of another kind;
-- tag_path is the path under which the record was sent, whatever the tag is called now.
CREATE TABLE erp_outbox (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  tag_id   INTEGER,
  tag_path TEXT NOT NULL,
  record   TEXT NOT NULL CHECK (json_valid(record)),
  diagram  TEXT NOT NULL,
  location TEXT NOT NULL,
  sent_at  TEXT NOT NULL
) STRICT;
CREATE INDEX erp_outbox_by_tag ON erp_outbox (tag_id, id) WHERE tag_id IS NOT NULL;
CREATE INDEX erp_outbox_by_path ON erp_outbox (tag_path, id);
`;
