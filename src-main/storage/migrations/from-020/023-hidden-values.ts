/**
 * Hashes of values in which the journal hid a secret of a run: SHA-256 of their JSON. A later change has such a value as the
 * one before, when the secret itself is no longer known.
 */
export const hiddenValues = `
CREATE TABLE journal_hidden (
  id   INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE
) STRICT;
`;
