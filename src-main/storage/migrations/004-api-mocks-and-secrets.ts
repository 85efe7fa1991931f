/** The mocks of API calls, and the named secrets of scripts. */
export const apiMocksAndSecrets = `
-- route is a MockRoute without name, enabled and priority.
CREATE TABLE api_mocks (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  name        TEXT NOT NULL,
  enabled     INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  priority    INTEGER NOT NULL,
  route       TEXT NOT NULL CHECK (json_valid(route)),
  hits        INTEGER NOT NULL DEFAULT 0,
  last_hit_at TEXT
) STRICT;

-- sealed is what a cipher made of the value; its key is never in this file.
CREATE TABLE api_secrets (
  name       TEXT PRIMARY KEY,
  sealed     TEXT NOT NULL,
  changed_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;
