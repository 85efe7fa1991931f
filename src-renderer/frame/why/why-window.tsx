import { useMemo } from 'react';
import { isUsable } from '#domain/tag/quality';
import type { WhySample, WhyWindow } from '#domain/run/why';
import { clock, fraction, fullMoment, windowSpan } from '../../support/moment.ts';
import { shownValue } from '../../support/shown-value.ts';
import { Plot } from '../../ui/plot/plot.tsx';
import { ErrorCircleFilled } from '../../ui/icons.ts';
import styles from './why.module.css';

/** Series of a plot. */
const MOST_SERIES = 6;
/** Listed samples. */
const MOST_LISTED = 200;

/** The window of a data row: its outputs, its condition, and its samples. */
export function WhyWindowPart({ window }: { window: WhyWindow }) {
  const { start, end, samples, badSamples, condition, values, list } = window;
  const chart = useMemo(() => chartOf(list), [list]);
  const [from, to] = [new Date(start), new Date(end)];
  return (
    <section className={styles.part}>
      <h3>
        Window <bdi className={styles.order}>{window.rule}</bdi>
      </h3>
      <dl className={styles.fields}>
        <div>
          <dt>Time</dt>
          <dd title={`${fullMoment(from)} to ${fullMoment(to)}`}>
            {windowSpan({ start: from.getTime(), end: to.getTime() })}
          </dd>
        </div>
        <div>
          <dt>Samples</dt>
          <dd>
            {samples.toLocaleString('en')}
            {badSamples > 0 && `, ${badSamples.toLocaleString('en')} excluded`}
          </dd>
        </div>
        {condition !== '' && (
          <div>
            <dt>Condition</dt>
            <dd>
              <code>{condition}</code>
            </dd>
          </div>
        )}
        {Object.entries(values).map(([name, value]) => (
          <div key={name}>
            <dt title={name}>{name}</dt>
            <dd title={shownValue(value, 2_000)}>{shownValue(value)}</dd>
          </div>
        ))}
      </dl>
      {chart && (
        <div className={styles.plot}>
          <Plot label="Samples of the window" times={chart.times} series={chart.series} height={130} shape="steps" />
        </div>
      )}
      {list.length > 0 && <Samples list={list} />}
    </section>
  );
}

function Samples({ list }: { list: readonly WhySample[] }) {
  const stored = list.filter(({ current }) => !current);
  const added = list.filter(({ current }) => current);
  const shown = [...stored.slice(0, MOST_LISTED), ...added.slice(0, MOST_LISTED)];
  const isOne = new Set(list.map(({ tag }) => tag)).size === 1;
  return (
    <details className={styles.samples}>
      <summary>
        {stored.length > 0 && `${counted(stored.length, 'sample')}, as stored`}
        {stored.length > 0 && added.length > 0 && ', and '}
        {added.length > 0 && `${counted(added.length, 'current value')}, which the firing by hand added`}
      </summary>
      <ul>
        {shown.map(({ at, tag, value, quality, current }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the samples of one window never change
          <li key={index}>
            <time dateTime={at} title={fullMoment(new Date(at))}>
              {clock(new Date(at))}
              {fraction(new Date(at))}
            </time>
            {value === null ? (
              <span className={styles.excluded}>
                <ErrorCircleFilled aria-hidden /> excluded: {quality ?? 'bad quality'}
              </span>
            ) : (
              <span>
                <bdi>{shownValue(value)}</bdi>
                {quality !== undefined && !isUsable(quality) && ` ${quality}`}
              </span>
            )}
            {current && <span className={styles.quiet}>current value</span>}
            {!isOne && <bdi className={styles.quiet}>{tag}</bdi>}
          </li>
        ))}
      </ul>
      {shown.length < list.length && <p className={styles.quiet}>The first {MOST_LISTED} are listed.</p>}
    </details>
  );
}

const counted = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;

/** Numeric samples over time by tag; null if none are at different times. An excluded one is a gap. */
function chartOf(list: readonly WhySample[]) {
  const tags = [...new Set(list.filter(({ value }) => typeof value === 'number').map(({ tag }) => tag))];
  const sorted = list.map((sample) => ({ ...sample, ms: Date.parse(sample.at) })).toSorted((a, b) => a.ms - b.ms);
  const times = sorted.map(({ ms }) => ms);
  if (tags.length === 0 || times.at(0) === times.at(-1)) return null;
  const series = tags.slice(0, MOST_SERIES).map((tag) => {
    let last: number | null = null;
    const values = sorted.map((sample) => {
      if (sample.tag === tag) last = typeof sample.value === 'number' ? sample.value : null;
      return last;
    });
    return { name: tag, values };
  });
  return { times, series };
}
