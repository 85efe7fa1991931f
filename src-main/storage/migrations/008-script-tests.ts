/** Tests of scripts. */
export const scriptTests = `
CREATE TABLE script_tests (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  script_id INTEGER NOT NULL REFERENCES scripts (id) ON DELETE CASCADE,
  name      TEXT NOT NULL,
  name_key  TEXT NOT NULL,
  -- Context, fixtures and what is expected.
  test      TEXT NOT NULL CHECK (json_valid(test)),
  saved_at  TEXT NOT NULL,
  UNIQUE (script_id, name_key)
) STRICT;
`;
