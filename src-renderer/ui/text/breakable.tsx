import { Fragment } from 'react';

/** Where the parts of a path meet: after a dot within a word. Numbers stay whole. */
const JOINT = /(?<=\S\.)(?=\p{L})/u;

/**
 * A text of several lines: they break between the parts of the paths in it, and within a word only where a part finds no
 * room in a line. Not for one line: these are breaks also where `white-space` is `nowrap`.
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
