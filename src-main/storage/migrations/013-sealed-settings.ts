/**
 * From here on settings may be sealed, and the key of the events API is a hash. A version that does not know that would
 * ignore both and serve the events API without a key: the number keeps it off. The open that follows seals what is there.
 */
export const sealedSettings = 'SELECT 1;';
