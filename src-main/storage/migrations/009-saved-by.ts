/** Who saved a version of a script: the user name of the operating system, null if unknown. */
export const savedBy = `
ALTER TABLE script_versions ADD COLUMN saved_by TEXT;
`;
