/**
 * Where the secrets are in such a value: starts and ends alternately, in bytes of its JSON. A later run that reads the value
 * so knows them. NULL for values from before: then the whole value is a secret.
 */
export const hiddenPlaces = `
ALTER TABLE journal_hidden ADD COLUMN places TEXT;
`;
