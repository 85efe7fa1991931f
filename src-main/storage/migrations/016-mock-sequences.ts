/** A mock can have several responses: `position` counts those since its sequence started. */
export const mockSequences = `
ALTER TABLE api_mocks ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
`;
