/** The contexts that were used get names, so that they can be renamed, and chosen by name. */
export const namedContexts = `
UPDATE run_contexts SET contexts = json_object(
  'current', json_extract(contexts, '$.current'),
  'chosen', NULL,
  'named', json((
    SELECT json_group_array(json_set(one.value, '$.name', 'Context ' || (one.key + 1)) ORDER BY one.key)
    FROM json_each(contexts, '$.used') AS one
  )),
  'used', json('[]')
);
`;
