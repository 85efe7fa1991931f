import { isUsable } from '#domain/tag/quality';
import type { Quality } from '#domain/tag/quality';
import { CheckmarkCircleFilled, ErrorCircleFilled, WarningFilled } from '../icons.ts';
import styles from './quality.module.css';

/** A quality by icon, colour and name; the tooltip has the full name, and the reason if known. */
export function QualityMark({ quality, reason }: { quality: Quality; reason?: string | undefined }) {
  const sort = !isUsable(quality) ? 'bad' : quality.startsWith('Uncertain') ? 'uncertain' : 'good';
  return (
    <span className={styles.quality} data-sort={sort} title={reason === undefined ? quality : `${quality}: ${reason}`}>
      {sort === 'good' && <CheckmarkCircleFilled aria-hidden />}
      {sort === 'uncertain' && <WarningFilled aria-hidden />}
      {sort === 'bad' && <ErrorCircleFilled aria-hidden />}
      <span>{quality}</span>
    </span>
  );
}
