const LEAST = 72;
const MOST = 180;
/** Width of a character of the header, in bold. */
const PIXELS_A_CHARACTER = 8;

/** The track of a value column with this name: output names often differ only in their last characters. */
export function outputWidth(name: string): string {
  return `minmax(${Math.min(MOST, Math.max(LEAST, name.length * PIXELS_A_CHARACTER))}px, 1fr)`;
}
