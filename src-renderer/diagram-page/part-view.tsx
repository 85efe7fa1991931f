import { useState } from 'react';
import type { ComponentType } from 'react';
import type { DiagramPart, PartKind } from '#domain/tag/diagram';
import type { Json } from '#domain/text/json';
import { isUsable } from '#domain/tag/quality';
import { imageUrl } from '../support/image-url.ts';
import { Button } from '../ui/fluent.ts';
import { isNotable, QualityMark, StateBadges } from '../ui/text/quality.tsx';
import { inFormat, shownAs, shownValue, wholeValue } from '../support/shown-value.ts';
import { GaugePart } from './gauge-part.tsx';
import { InputPart } from './input-part.tsx';
import { usePage, useShownValue } from './page-context.ts';
import { TrendPart } from './trend-part.tsx';
import styles from './page.module.css';

/** The content of a part, and its actions. */
export function PartView({ part }: { part: DiagramPart }) {
  const Part = PARTS[part.kind];
  // Another tag makes this another part: typed text belongs to the former tag.
  return <Part key={part.tag} part={part} />;
}

function useTag(part: DiagramPart) {
  const { definitions } = usePage();
  const { unit = '', format } = definitions.get(part.tag) ?? {};
  return { value: useShownValue(part.tag), unit, format };
}

function Unbound() {
  return <span className={styles.unbound}>No tag chosen</span>;
}

function ValuePart({ part }: { part: DiagramPart }) {
  const { value, unit, format } = useTag(part);
  const text = !value ? '…' : value.value === '' || value.value === null ? '–' : shownAs(value.value, format);
  const whole = inFormat(value?.value ?? null, format) === null ? text : wholeValue(value?.value ?? null);
  return (
    <div className={styles.value} title={part.tag}>
      {part.label !== '' && (
        <span className={styles.label} title={part.label}>
          {part.label}
        </span>
      )}
      {part.tag === '' ? (
        <Unbound />
      ) : (
        <span
          className={styles.number}
          title={`${whole} ${unit}`.trim()}
          data-bad={value !== undefined && !isUsable(value.quality)}
        >
          <bdi>{text}</bdi>{' '}
          {unit !== '' && (
            <small>
              <bdi>{unit}</bdi>
            </small>
          )}
        </span>
      )}
      {value && isNotable(value) && <QualityMark value={value} />}
    </div>
  );
}

function LampPart({ part }: { part: DiagramPart }) {
  const { value } = useTag(part);
  const state = !value ? 'waiting' : !isUsable(value.quality) ? 'bad' : isLit(value.value, part.value) ? 'on' : 'off';
  const words = { waiting: '…', bad: value?.quality ?? '', on: 'on', off: 'off' } as const;
  return (
    <div className={styles.lamp} data-state={state} title={part.tag}>
      <span className={styles.bulb} aria-hidden />
      <span className={styles.lampLabel} title={part.label === '' ? part.tag : part.label}>
        {part.label === '' ? part.tag : part.label}
      </span>
      <span className={styles.lampState}>
        {part.tag === '' ? 'no tag' : words[state]} {value && <StateBadges value={value} compact />}
      </span>
    </div>
  );
}

function isLit(value: Json, lit: Json): boolean {
  return JSON.stringify(value) === JSON.stringify(lit);
}

function ImagePart({ part }: { part: DiagramPart }) {
  const { value } = useTag(part);
  const url = value && typeof value.value === 'string' ? imageUrl(value.value) : null;
  if (url !== null) return <img className={styles.image} src={url} alt={part.label === '' ? part.tag : part.label} />;
  const reason = part.tag === '' ? 'No tag chosen' : value ? 'The tag does not contain an image' : '…';
  return <div className={styles.missing}>{reason}</div>;
}

const MOST_ROWS = 200;

function TablePart({ part }: { part: DiagramPart }) {
  const { value } = useTag(part);
  const rows = Array.isArray(value?.value) ? value.value.filter(isRecord) : [];
  if (rows.length === 0) {
    const reason = part.tag === '' ? 'No tag chosen' : value ? 'The tag does not contain records' : '…';
    return <div className={styles.missing}>{reason}</div>;
  }
  const shown = rows.slice(0, MOST_ROWS);
  const columns = [...new Set(shown.flatMap((row) => Object.keys(row)))];
  return (
    <div className={styles.table} role="region" aria-label={part.label === '' ? part.tag : part.label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" data-number={typeof shown[0]?.[column] === 'number'}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- records have no name of their own
            <tr key={index}>
              {columns.map((column) => (
                <td key={column} data-number={typeof row[column] === 'number'}>
                  {row[column] === undefined ? '' : shownValue(row[column])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MOST_ROWS && <p className={styles.more}>and {rows.length - MOST_ROWS} more</p>}
    </div>
  );
}

function isRecord(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function ButtonPart({ part }: { part: DiagramPart }) {
  const { write } = usePage();
  const [problem, setProblem] = useState<string | null>(null);
  const [writing, setWriting] = useState(false);
  const press = async () => {
    if (!write) return;
    setWriting(true);
    setProblem(await write(part.tag, part.value));
    setWriting(false);
  };
  return (
    <div className={styles.control} title={problem ?? part.tag}>
      <Button
        className={styles.fill ?? ''}
        disabledFocusable={part.tag === '' || writing || !write}
        onClick={() => void press()}
      >
        <span className={styles.caption} title={part.label}>
          {part.label === '' ? 'Write' : part.label}
        </span>
      </Button>
      {problem !== null && (
        <span role="alert" className={styles.problem}>
          {problem}
        </span>
      )}
    </div>
  );
}

function TextPart({ part }: { part: DiagramPart }) {
  return (
    <div className={styles.text} dir="auto" title={part.label}>
      {part.label}
    </div>
  );
}

const PARTS: Readonly<Record<PartKind, ComponentType<{ part: DiagramPart }>>> = {
  text: TextPart,
  value: ValuePart,
  lamp: LampPart,
  image: ImagePart,
  table: TablePart,
  input: InputPart,
  button: ButtonPart,
  trend: TrendPart,
  gauge: GaugePart,
};
