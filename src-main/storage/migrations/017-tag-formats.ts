/** How the numbers of a tag are shown; null for tags without a format. */
export const tagFormats = 'ALTER TABLE tags ADD COLUMN format TEXT;';
