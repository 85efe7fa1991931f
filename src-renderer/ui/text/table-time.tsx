import { clock, day, fraction, fullMoment } from '../../support/moment.ts';
import styles from './table-time.module.css';

/** The width of a column of times, with the space between columns. */
export const TIME_WIDTH = '152px';
/** The same with ms. */
export const TIME_WITH_MS_WIDTH = '181px';

interface Props {
  at: Date;
  /** With ms, if they matter in any row of the table. */
  ms?: boolean;
  /** What happened then, such as `Last changed`, before the full time in the tooltip. */
  what?: string;
}

/**
 * A time in a table. All tables have the same format in all rows, `2026-01-31 14:05:09`, so that times are aligned and
 * a row never looks like one of another day; the date is gray. The tooltip has the ms and the time zone.
 */
export function TableTime({ at, ms = false, what }: Props) {
  const full = fullMoment(at);
  return (
    <time className={styles.time} dateTime={at.toISOString()} title={what === undefined ? full : `${what} ${full}`}>
      <span className={styles.date}>{day(at)}</span> {clock(at)}
      {ms && fraction(at)}
    </time>
  );
}
