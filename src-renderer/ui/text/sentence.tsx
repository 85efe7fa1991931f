import { Fragment } from 'react';
import { Breakable } from './breakable.tsx';

/** A name within a text, with its quotes: “Line 1” or "Line 1". */
const NAMED = /(“[^”]*”|"[^"]*")/;

/**
 * A text that names things in quotes. Each name stands for itself: one that runs from right to left turns round neither
 * its quotes nor the words beside it.
 */
export function Sentence({ text }: { text: string }) {
  return (
    <span>
      {text.split(NAMED).map(
        (part, place) =>
          // oxlint-disable react/no-array-index-key -- the parts of one text never change places
          place % 2 === 0 ? (
            <Breakable key={place} text={part} />
          ) : (
            <Fragment key={place}>
              {part.charAt(0)}
              <bdi>
                <Breakable text={part.slice(1, -1)} />
              </bdi>
              {part.at(-1)}
            </Fragment>
          ),
        // oxlint-enable react/no-array-index-key
      )}
    </span>
  );
}
