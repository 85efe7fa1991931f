const UTF_16 = [
  { mark: [0xff, 0xfe], name: 'utf-16le' },
  { mark: [0xfe, 0xff], name: 'utf-16be' },
];

/**
 * The text of a file: UTF-8, or UTF-16 with its byte order mark, as some spreadsheets save it. Throws an Error for
 * anything else: letters of another encoding would silently change.
 */
export function decodeText(bytes: Uint8Array): string {
  const utf16 = UTF_16.find(({ mark }) => mark.every((byte, place) => bytes[place] === byte));
  if (!utf16 && bytes.includes(0))
    throw new Error('This is not a text file: it contains zero bytes. Choose another file.');
  try {
    return new TextDecoder(utf16?.name ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(
      'This is not UTF-8 text. Save it with the encoding UTF-8 (in Excel: “CSV UTF-8”) and choose it again.',
    );
  }
}
