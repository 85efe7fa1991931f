import { Fragment } from 'react';

/** The boundaries in a path: after a dot within a word. Numbers are not broken. */
const JOINT = /(?<=\S\.)(?=\p{L})/u;

/**
 * A text with several lines: they break between the segments of paths, and within a segment only if it does not fit on
 * a line. Not for single lines: these breaks ignore `white-space: nowrap`.
 */
export function Breakable({ text }: { text: string }) {
  return text.split(JOINT).map((part, place) => (
    // oxlint-disable-next-line react/no-array-index-key -- the parts of one text never change places
    <Fragment key={place}>
      {place > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
