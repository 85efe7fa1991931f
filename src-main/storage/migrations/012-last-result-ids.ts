/** The ids of deleted data rows. */
export const lastResultIds = `
-- AUTOINCREMENT looks through a list of all tables for every row that is written. A result table without it goes on from
-- its newest row, or from here: a trigger of it notes the id of the newest row when that one is deleted.
CREATE TABLE last_result_ids (
  result_table TEXT PRIMARY KEY,
  last_id      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
