/** Control characters other than line breaks and tabs, with which a script could manipulate a terminal. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g;

/** The text with control characters made visible. */
export function printable(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(CONTROLS, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`);
}
