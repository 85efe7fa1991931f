import { memo } from 'react';
import { clock } from '../../../support/moment.ts';
import { QualityMark } from '../../../ui/text/quality.tsx';
import { shownLive } from '../../../support/shown-value.ts';
import { useLiveValue } from '../../../client/live-values.ts';
import type { LiveValues } from '../../../client/live-values.ts';
import styles from './table.module.css';

interface Props {
  values: LiveValues;
  path: string;
}

/** Cells that update themselves, so that a new value redraws only its cell, not the table. */

export const ValueCell = memo(function ValueCell({ values, path }: Props) {
  const live = useLiveValue(values, path);
  return (
    <span
      className={styles.value}
      data-number={typeof live?.value === 'number'}
      title={typeof live?.value === 'string' ? shownLive(live.value) : undefined}
    >
      {live ? shownLive(live.value) : '…'}
    </span>
  );
});

export const QualityCell = memo(function QualityCell({ values, path }: Props) {
  const live = useLiveValue(values, path);
  return live ? <QualityMark quality={live.quality} reason={live.reason} /> : null;
});

export const TimeCell = memo(function TimeCell({ values, path }: Props) {
  const live = useLiveValue(values, path);
  return live ? <span className={styles.time}>{clock(new Date(live.changedAt))}</span> : null;
});
