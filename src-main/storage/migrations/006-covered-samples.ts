/** Samples that need not be replayed after a restart. */
export const coveredSamples = `
-- 1: what is known of the rule's window has held these samples since before they were stored. They are kept for previews.
ALTER TABLE window_samples ADD COLUMN covered INTEGER NOT NULL DEFAULT 0 CHECK (covered IN (0, 1));
`;
