/** Decided but unfinished write sets over two files. */
export const writeIntents = `
-- A row stands from before plant.db commits until what the same set writes here is written, too. evidence: the state
-- of plant.db before its commit; writes: what is to be written here where that commit was made.
CREATE TABLE write_intents (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  evidence TEXT NOT NULL CHECK (json_valid(evidence)),
  writes   TEXT NOT NULL CHECK (json_valid(writes)),
  made_at  TEXT NOT NULL
) STRICT;
`;
