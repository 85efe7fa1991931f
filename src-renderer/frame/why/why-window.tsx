import { useMemo } from 'react';
import { isUsable } from '#domain/tag/quality';
import type { WhySample, WhyWindow } from '#domain/run/why';
import { clock, fraction, fullMoment, windowSpan } from '../../support/moment.ts';
import { shownValue } from '../../support/shown-value.ts';
import { Plot } from '../../ui/plot/plot.tsx';
import { DismissRegular, ErrorCircleFilled } from '../../ui/icons.ts';
import { chartOf } from './window-chart.ts';
import styles from './why.module.css';

const PLOT = 'Samples of the window';
/** Listed samples. */
const MOST_LISTED = 200;

interface WindowProps {
  window: WhyWindow;
  /** Next to its data row, which has the time, the counts and the outputs. */
  hasRow?: boolean;
}

/** The window of a data row: its outputs, its condition, and its samples. */
export function WhyWindowPart({ window, hasRow = false }: WindowProps) {
  const { start, end, samples, badSamples, condition, values, list } = window;
  const chart = useMemo(() => chartOf(window), [window]);
  const [from, to] = [new Date(start), new Date(end)];
  const excluded = excludedBy(list);
  return (
    <section className={styles.part}>
      <h3>Window {!hasRow && <bdi className={styles.order}>{window.rule}</bdi>}</h3>
      <dl className={styles.fields}>
        {!hasRow && (
          <>
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
          </>
        )}
        {condition !== '' && (
          <div>
            <dt>Condition</dt>
            <dd>
              <code>{condition}</code>
            </dd>
          </div>
        )}
        {!hasRow &&
          Object.entries(values).map(([name, value]) => (
            <div key={name}>
              <dt title={name}>{name}</dt>
              <dd title={shownValue(value, 2_000)}>{shownValue(value)}</dd>
            </div>
          ))}
      </dl>
      {chart && (
        <div className={styles.plot}>
          <Plot
            label={chart.crosses.length === 0 ? PLOT : `${PLOT}, ${chart.crosses.length.toLocaleString('en')} excluded`}
            times={chart.times}
            series={chart.series}
            crosses={chart.crosses}
            height={130}
            shape="steps"
          />
        </div>
      )}
      {excluded.length > 0 && (
        <p className={styles.excludedBy}>
          <DismissRegular aria-hidden /> excluded: {excluded.join(', ')}
        </p>
      )}
      {list.length > 0 && <Samples list={list} all={samples + badSamples} />}
      {list.length === 0 && samples + badSamples > 0 && (
        <p className={styles.quiet}>Its samples are no longer stored.</p>
      )}
    </section>
  );
}

/** The qualities of excluded samples, each with its number. */
function excludedBy(list: readonly WhySample[]): string[] {
  const counts = new Map<string, number>();
  for (const { value, quality = 'bad quality' } of list) {
    if (value === null) counts.set(quality, (counts.get(quality) ?? 0) + 1);
  }
  return [...counts].map(([quality, count]) => (count === 1 ? quality : `${quality} (${count.toLocaleString('en')})`));
}

/** @param all the samples that the window counted */
function Samples({ list, all }: { list: readonly WhySample[]; all: number }) {
  const stored = list.filter(({ current }) => !current);
  const added = list.filter(({ current }) => current);
  const shown = [...stored.slice(0, MOST_LISTED), ...added.slice(0, MOST_LISTED)];
  const isOne = new Set(list.map(({ tag }) => tag)).size === 1;
  return (
    <details className={styles.samples}>
      <summary>
        {stored.length > 0 && samplesText(stored.length, all - added.length)}
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

function samplesText(listed: number, all: number): string {
  if (listed < all) return `${listed.toLocaleString('en')} of ${counted(all, 'sample')}, the ones that can be listed`;
  return listed === 1 ? '1 sample, as it is stored' : `${counted(listed, 'sample')}, as they are stored`;
}
