/** Diagrams: pages of parts that are bound to tags. */
export const diagrams = `
CREATE TABLE diagrams (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  name     TEXT NOT NULL,
  name_key TEXT NOT NULL UNIQUE,
  version  INTEGER NOT NULL CHECK (version > 0),
  -- Size and parts.
  page     TEXT NOT NULL CHECK (json_valid(page)),
  saved_at TEXT NOT NULL
) STRICT;
`;
