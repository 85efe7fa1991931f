import { TagwrightError } from '../platform/errors.ts';

/** A file of a folder that cannot be imported: BAD_REQUEST. */
export function unfit(file: string, why: string): TagwrightError {
  return new TagwrightError('BAD_REQUEST', `"${file}" cannot be imported: ${why}`);
}
