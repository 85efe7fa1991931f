/** A new script continues a deleted one of its name: without an index, each save of a new one reads all scripts. */
export const deletedScripts =
  'CREATE INDEX scripts_deleted_by_name ON scripts (name_key) WHERE deleted_at IS NOT NULL;';
