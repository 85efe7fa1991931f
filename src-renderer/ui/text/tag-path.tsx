import { Fragment } from 'react';
import { Breakable } from './breakable.tsx';

/** Right-to-left letters, and characters that change the text direction. */
const TURNS = /[\u0590-\u08FF\u200E\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFEFC]|[\uD802\uD803\uD83A\uD83B]/;

interface Props {
  path: string;
  /** If it can use several lines: they break between its segments. */
  breaks?: boolean;
  /** A group that it is in, which is shown elsewhere: only the rest is shown. Default: the whole path. */
  within?: string;
}

/** The path of a tag within other text: its segments stay in order, whatever their text direction. */
export function TagPath({ path: whole, breaks = false, within = '' }: Props) {
  const path = within === '' ? whole : whole.slice(within.length + 1);
  if (!TURNS.test(path)) return <bdi>{breaks ? <Breakable text={path} /> : path}</bdi>;
  return (
    <bdi dir="ltr">
      {path.split('.').map((part, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- the parts of one path never change places
        <Fragment key={place}>
          {place > 0 && '.'}
          {place > 0 && breaks && <wbr />}
          <bdi>{part}</bdi>
        </Fragment>
      ))}
    </bdi>
  );
}
