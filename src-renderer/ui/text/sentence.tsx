import { Fragment } from 'react';
import { Breakable } from './breakable.tsx';

/** A quoted name within a text: “Line 1” or "Line 1". */
const NAMED = /(“[^”]*”|"[^"]*")/;

/**
 * A text with quoted names. The text direction of each name is isolated: a right-to-left name does not affect its
 * quotes or the neighboring words.
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
