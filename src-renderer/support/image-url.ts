/** The first Base64 characters of each kind of image. */
const BEGINNINGS: readonly (readonly [string, string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['Qk', 'image/bmp'],
  ['PHN2Zy', 'image/svg+xml'],
  ['PD94bWwg', 'image/svg+xml'],
];
const DATA_URL = /^data:image\/[\w.+-]+;base64,/;

/** The URL of an image from Base64 text (plain, or as a data: URL); null if it is not an image. */
export function imageUrl(text: string): string | null {
  if (DATA_URL.test(text.slice(0, 60))) return text;
  const type = BEGINNINGS.find(([beginning]) => text.startsWith(beginning))?.[1];
  return type === undefined || text.length < 20 ? null : `data:${type};base64,${text}`;
}
