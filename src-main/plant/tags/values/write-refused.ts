import { abbreviate } from '#domain/text/abbreviate';
import type { WriteFailure } from '#domain/tag/tag';
import { TagwrightError } from '../../../platform/errors.ts';

/** Maximum number of items in the message; all are in the data. */
const SHOWN = 3;

/** The rejection of a whole Set: the message shows the first failing items, `data.failures` lists every one. */
export function writeRefused(failures: readonly WriteFailure[], items: number): TagwrightError {
  const shown = failures
    .slice(0, SHOWN)
    .map(
      ({ tag, reason, index }) =>
        `${items === 1 || index === undefined ? '' : `tags[${index}] `}"${abbreviate(tag, 120)}": ${reason}`,
    );
  const more = failures.length - shown.length;
  const message =
    `Nothing was written: ${failures.length} of ${items} ${items === 1 ? 'item' : 'items'} rejected: ` +
    `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
  return new TagwrightError('WRITE_REFUSED', message, {
    data: { failures: failures.map((failure) => ({ ...failure })) },
  });
}
