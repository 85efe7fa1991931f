import type { DiagramPart, GaugeSettings } from '#domain/tag/diagram';
import { NEW_GAUGE } from '#domain/tag/diagram';
import { isUsable } from '#domain/tag/quality';
import { shownAs } from '../support/shown-value.ts';
import { WarningFilled } from '../ui/icons.ts';
import { isNotable, QualityMark } from '../ui/text/quality.tsx';
import { usePage, useShownValue } from './page-context.ts';
import { trendNumber } from './trend-buffer.ts';
import styles from './gauge-part.module.css';

const [CENTER, BASE, RADIUS] = [100, 96, 78];

/** The value of a tag on a scale, with marks at its limits. */
export function GaugePart({ part }: { part: DiagramPart }) {
  const { definitions } = usePage();
  const value = useShownValue(part.tag);
  const gauge = part.gauge ?? NEW_GAUGE;
  const { unit = '', format } = definitions.get(part.tag) ?? {};
  const number = value ? trendNumber(value) : null;
  const beyond = number === null ? null : limitBeyond(gauge, number, format);
  const text = part.tag === '' ? '–' : !value ? '…' : number === null ? '–' : shownAs(number, format);
  const name = part.label === '' ? part.tag : part.label;
  const words = [`${text} ${unit}`.trim(), beyond ?? '', value && !isUsable(value.quality) ? value.quality : ''];
  const described = words.filter((word) => word !== '').join(', ');
  return (
    <div className={styles.gauge} data-beyond={beyond !== null} title={part.tag}>
      <span className={styles.name} title={name}>
        {name === '' ? 'No tag chosen' : name}
      </span>
      <svg
        className={styles.dial}
        viewBox="0 0 200 122"
        {...(number === null
          ? { role: 'img', 'aria-label': `${name}: ${described}` }
          : {
              role: 'meter',
              'aria-label': name,
              'aria-valuemin': gauge.min,
              'aria-valuemax': gauge.max,
              'aria-valuenow': Math.min(gauge.max, Math.max(gauge.min, number)),
              'aria-valuetext': described,
            })}
      >
        <path className={styles.scale} d={arc(0, 1, RADIUS)} />
        {number !== null && <path className={styles.value} d={arc(0, partOf(gauge, number), RADIUS)} />}
        {gauge.low !== null && <path className={styles.limit} d={arc(0, partOf(gauge, gauge.low), RADIUS + 12)} />}
        {gauge.high !== null && <path className={styles.limit} d={arc(partOf(gauge, gauge.high), 1, RADIUS + 12)} />}
        <text className={styles.number} x={CENTER} y={BASE - 10}>
          {text}
        </text>
        <text className={styles.unit} x={CENTER} y={BASE + 6}>
          {unit}
        </text>
        <text className={styles.end} x={CENTER - RADIUS} y={BASE + 20}>
          {shownAs(gauge.min, format)}
        </text>
        <text className={styles.end} x={CENTER + RADIUS} y={BASE + 20}>
          {shownAs(gauge.max, format)}
        </text>
      </svg>
      {beyond !== null && (
        <span className={styles.warning}>
          <WarningFilled aria-hidden />
          {beyond}
        </span>
      )}
      {value && isNotable(value) && <QualityMark value={value} />}
    </div>
  );
}

/** The limit that a value is beyond, in words; null if it is between them. */
function limitBeyond({ low, high }: GaugeSettings, value: number, format: string | undefined): string | null {
  if (high !== null && value > high) return `above ${shownAs(high, format)}`;
  return low !== null && value < low ? `below ${shownAs(low, format)}` : null;
}

/** The place of a value on the scale, from 0 to 1. */
function partOf({ min, max }: GaugeSettings, value: number): number {
  return Math.min(1, Math.max(0, (value - min) / (max - min)));
}

/** The half circle between two places on the scale. */
function arc(from: number, to: number, radius: number): string {
  const point = (part: number) => {
    const angle = Math.PI * (1 - part);
    return `${(CENTER + radius * Math.cos(angle)).toFixed(2)} ${(BASE - radius * Math.sin(angle)).toFixed(2)}`;
  };
  return `M ${point(from)} A ${radius} ${radius} 0 0 1 ${point(to)}`;
}
