import { isUsable } from '#domain/quality';
import type { Quality } from '#domain/quality';
import { CheckmarkCircleFilled, ErrorCircleFilled, WarningFilled } from './icons.ts';
import styles from './quality.module.css';

/** A quality by sign, colour and name. */
export function QualityMark({ quality }: { quality: Quality }) {
  const sort = !isUsable(quality) ? 'bad' : quality.startsWith('Uncertain') ? 'uncertain' : 'good';
  return (
    <span className={styles.quality} data-sort={sort} title={quality}>
      {sort === 'good' && <CheckmarkCircleFilled aria-hidden />}
      {sort === 'uncertain' && <WarningFilled aria-hidden />}
      {sort === 'bad' && <ErrorCircleFilled aria-hidden />}
      <span>{quality}</span>
    </span>
  );
}
