import { Fragment } from 'react';

/** A name within a text, with its quotes: “Line 1” or "Line 1". */
const NAMED = /(“[^”]*”|"[^"]*")/;

/**
 * A text that names things in quotes. Each name stands for itself: one that runs from right to left turns round neither
 * its quotes nor the words beside it.
 */
export function Sentence({ text }: { text: string }) {
  return (
    <span>
      {text.split(NAMED).map((part, place) =>
        place % 2 === 0 ? (
          part
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- the parts of one text never change places
          <Fragment key={place}>
            {part.charAt(0)}
            <bdi>{part.slice(1, -1)}</bdi>
            {part.at(-1)}
          </Fragment>
        ),
      )}
    </span>
  );
}
