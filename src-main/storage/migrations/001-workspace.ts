/** Scripts with their versions and drafts, tags with their values, settings. */
export const workspace = `
CREATE TABLE settings (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL CHECK (json_valid(value))
) STRICT, WITHOUT ROWID;

CREATE TABLE script_groups (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  name     TEXT NOT NULL,
  name_key TEXT NOT NULL UNIQUE
) STRICT;

-- A script's current state; a deleted one keeps its row, so that it can be restored, even when its group is gone.
CREATE TABLE scripts (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  group_id    INTEGER REFERENCES script_groups (id) ON DELETE SET NULL,
  name        TEXT NOT NULL,
  name_key    TEXT NOT NULL,
  description TEXT NOT NULL,
  body        TEXT NOT NULL,
  version     INTEGER NOT NULL,
  saved_at    TEXT NOT NULL,
  deleted_at  TEXT,
  CHECK (group_id IS NOT NULL OR deleted_at IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX scripts_by_name ON scripts (group_id, name_key) WHERE deleted_at IS NULL;

-- Every save, the current one too. The group is kept as text: history outlives groups.
CREATE TABLE script_versions (
  script_id    INTEGER NOT NULL REFERENCES scripts (id),
  version      INTEGER NOT NULL,
  script_group TEXT NOT NULL,
  name         TEXT NOT NULL,
  description  TEXT NOT NULL,
  body         TEXT NOT NULL,
  saved_at     TEXT NOT NULL,
  PRIMARY KEY (script_id, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE drafts (
  key          TEXT PRIMARY KEY,
  script_id    INTEGER REFERENCES scripts (id),
  base_version INTEGER NOT NULL,
  script_group TEXT NOT NULL,
  name         TEXT NOT NULL,
  description  TEXT NOT NULL,
  body         TEXT NOT NULL,
  changed_at   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tags (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  path        TEXT NOT NULL UNIQUE,
  kind        TEXT NOT NULL,
  type        TEXT NOT NULL,
  description TEXT NOT NULL,
  unit        TEXT NOT NULL,
  settings    TEXT NOT NULL CHECK (json_valid(settings))
) STRICT;

-- '' is the internal default of a scope.
CREATE TABLE storage_values (
  tag_id     INTEGER NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
  diagram    TEXT NOT NULL,
  location   TEXT NOT NULL,
  value      TEXT NOT NULL CHECK (json_valid(value)),
  written_at TEXT NOT NULL,
  PRIMARY KEY (tag_id, diagram, location)
) STRICT, WITHOUT ROWID;

-- What an engineer forces on a machine tag: a value until released, a quality until lifted.
CREATE TABLE machine_overrides (
  tag_id  INTEGER PRIMARY KEY REFERENCES tags (id) ON DELETE CASCADE,
  value   TEXT CHECK (value IS NULL OR json_valid(value)),
  quality TEXT
) STRICT;
`;
