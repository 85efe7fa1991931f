/** The inputs of scripts in the preview. */
export const runContexts = `
CREATE TABLE run_contexts (
  script_id INTEGER PRIMARY KEY REFERENCES scripts (id) ON DELETE CASCADE,
  -- The one that is typed now, and those that were used, the last one first.
  contexts  TEXT NOT NULL CHECK (json_valid(contexts))
) STRICT;
`;
