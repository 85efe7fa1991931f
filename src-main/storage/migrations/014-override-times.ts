/** When a value or a quality of a machine tag was last set or cleared; null for those from before. */
export const overrideTimes = 'ALTER TABLE machine_overrides ADD COLUMN changed_at TEXT;';
