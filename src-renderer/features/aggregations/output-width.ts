const LEAST = 72;
const MOST = 180;
/** Of the head, in bold. */
const PIXELS_A_CHARACTER = 8;

/** The track of a column of values under this name: outputs often differ in their last characters alone. */
export function outputWidth(name: string): string {
  return `minmax(${Math.min(MOST, Math.max(LEAST, name.length * PIXELS_A_CHARACTER))}px, 1fr)`;
}
