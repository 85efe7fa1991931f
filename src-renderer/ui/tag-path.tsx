import { Fragment } from 'react';
import { Breakable } from './breakable.tsx';

/** Letters that run from right to left, and characters that turn the direction of what follows them. */
const TURNS = /[\u0590-\u08FF\u200E\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFEFC]|[\uD802\uD803\uD83A\uD83B]/;

/**
 * The path of a tag among other text: its parts stand in their order, in whatever direction each of them runs, and a line
 * breaks between them.
 */
export function TagPath({ path }: { path: string }) {
  if (!TURNS.test(path))
    return (
      <bdi>
        <Breakable text={path} />
      </bdi>
    );
  return (
    <bdi dir="ltr">
      {path.split('.').map((part, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- the parts of one path never change places
        <Fragment key={place}>
          {place > 0 && '.'}
          {place > 0 && <wbr />}
          <bdi>{part}</bdi>
        </Fragment>
      ))}
    </bdi>
  );
}
