import type { Json } from '#domain/text/json';
import { isJsonObject } from '#domain/text/json';
import { imageUrl } from '../../../../support/image-url.ts';

/** The maximum length of a result shown as JSON, characters; copy and save use all of it. */
export const MAX_SHOWN = 1_000_000;

/** A longer line would block the page. */
const MAX_LINE = 10_000;

/** The first lines of a long text, and the start of long lines; `cut` means that some of it is missing. */
export function shownPart(text: string, most = MAX_SHOWN): { text: string; cut: boolean } {
  const end = text.length > most ? text.lastIndexOf('\n', most) : text.length;
  const lines = text.slice(0, end === -1 ? most : end).split('\n');
  const long = lines.some(({ length }) => length > MAX_LINE);
  const shown = long ? lines.map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line)) : lines;
  return { text: shown.join('\n'), cut: long || text.length > most };
}

/**
 * The address of the image in a result, null if it is not an image: Base64 text or a data: URL, the `{ Base64Image }`
 * of `GetImage`, or a complete API Response Object with it.
 */
export function imageOf(result: Json): string | null {
  if (typeof result === 'string') return imageUrl(result);
  if (!isJsonObject(result)) return null;
  const { Base64Image: image, ResponseObject: response } = result;
  if (typeof image === 'string') return imageUrl(image);
  return isJsonObject(response) && typeof response['Base64Image'] === 'string'
    ? imageUrl(response['Base64Image'])
    : null;
}

/** `12 KB`, `3.4 MB`: a number of characters for display. */
export function shownSize(length: number): string {
  if (length < 1_000) return `${length} characters`;
  return length < 1_000_000 ? `${Math.round(length / 1_000)} KB` : `${(length / 1_000_000).toFixed(1)} MB`;
}
