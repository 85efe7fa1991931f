import { isUsable } from '#domain/tag/quality';
import type { TagValue } from '#domain/tag/tag';
import { CheckmarkCircleFilled, ErrorCircleFilled, WarningFilled } from '../icons.ts';
import styles from './quality.module.css';

type QualityOf = Pick<TagValue, 'quality' | 'reason' | 'overridden' | 'forced'>;

interface Props {
  value: QualityOf;
  /** Whether badges are one letter, where space is short. */
  compact?: boolean;
}

/** A quality by icon, color and name, with badges; the tooltip has the full name, and the reason if known. */
export function QualityMark({ value, compact = false }: Props) {
  const { quality, reason } = value;
  const sort = !isUsable(quality) ? 'bad' : quality.startsWith('Uncertain') ? 'uncertain' : 'good';
  return (
    <span className={styles.quality} data-sort={sort} title={reason === undefined ? quality : `${quality}: ${reason}`}>
      {sort === 'good' && <CheckmarkCircleFilled aria-hidden />}
      {sort === 'uncertain' && <WarningFilled aria-hidden />}
      {sort === 'bad' && <ErrorCircleFilled aria-hidden />}
      <span>{quality}</span>
      <StateBadges value={value} compact={compact} />
    </span>
  );
}

const BADGES = [
  ['overridden', 'O', 'Overridden: a written value replaces the signal until it is released'],
  ['forced', 'F', 'Forced: the quality stays until it is cleared'],
] as const;

/** Whether a machine tag is overridden, and whether its quality is forced. */
export function StateBadges({ value, compact = false }: Props) {
  return BADGES.filter(([state]) => value[state]).map(([state, letter, title]) => (
    <span key={state} className={styles.badge} role="img" aria-label={state} title={title}>
      {compact ? letter : state}
    </span>
  ));
}

/** Whether a quality is worth showing where space is short. */
export const isNotable = ({ quality, overridden, forced }: QualityOf): boolean =>
  quality !== 'Good' || overridden === true || forced === true;
