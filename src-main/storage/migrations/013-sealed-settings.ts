/**
 * From here on, settings may be sealed, and the key of the events API is a hash. A version that does not support that
 * would ignore both and serve the events API without a key: the schema number prevents that. The next open seals the
 * existing settings.
 */
export const sealedSettings = 'SELECT 1;';
