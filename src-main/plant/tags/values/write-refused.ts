import { abbreviate } from '#domain/text/abbreviate';
import type { TagWrite, WriteFailure } from '#domain/tag/tag';
import { isJsonObject } from '#domain/text/json';
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

/**
 * The rejection of a whole Set that only knows the tags, such as one of a COMMIT, with the positions of their items.
 * Other errors, and failures of nested Sets, stay as they are.
 */
export function withPlaces(thrown: unknown, items: readonly TagWrite[]): unknown {
  const failures = thrown instanceof TagwrightError ? thrown.data['failures'] : undefined;
  if (!Array.isArray(failures) || failures.every((one) => isJsonObject(one) && 'index' in one)) return thrown;
  const placed = failures.filter(isJsonObject).flatMap((one): WriteFailure[] => {
    const { tag: path, reason, index: place } = one;
    if (typeof path !== 'string' || typeof reason !== 'string') return [];
    const failure = { tag: path, reason };
    if (typeof place === 'number') return [{ ...failure, index: place }];
    const places = items.flatMap(({ tag }, index) => (tag === path ? [index] : []));
    return places.length === 0 ? [failure] : places.map((index) => ({ ...failure, index }));
  });
  return writeRefused(placed, Math.max(items.length, placed.length));
}
