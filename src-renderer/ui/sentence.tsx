/** A name within a text, with its quotes: “Line 1” or "Line 1". */
const NAMED = /(“[^”]*”|"[^"]*")/;

/**
 * A text that names things in quotes. Each name stands for itself: one that runs from right to left turns round neither
 * its quotes nor the words beside it.
 */
export function Sentence({ text }: { text: string }) {
  const parts = text.split(NAMED);
  return (
    <span>
      {/* oxlint-disable-next-line react/no-array-index-key -- the parts of one text never change places */}
      {parts.map((part, place) => (place % 2 === 1 ? <bdi key={place}>{part}</bdi> : part))}
    </span>
  );
}
