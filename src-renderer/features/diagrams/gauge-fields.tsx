import { useState } from 'react';
import type { DiagramPart, GaugeSettings } from '#domain/tag/diagram';
import { problemOfGauge } from '#domain/tag/diagram';
import { typedNumber } from '#domain/text/typed-number';
import { Field, Input } from '../../ui/fluent.ts';
import styles from './diagrams.module.css';

interface Props {
  gauge: GaugeSettings;
  onChange: (change: Pick<DiagramPart, 'gauge'>, member: keyof GaugeSettings) => void;
}

/** The scale of a gauge, and its limits, which may be empty. */
export function GaugeFields({ gauge, onChange }: Props) {
  const field = (member: keyof GaugeSettings, label: string) => (
    <NumberField
      label={label}
      value={gauge[member]}
      problemOf={(value) => {
        if (value === null && (member === 'min' || member === 'max')) return 'Enter a number';
        return problemOfGauge({ ...gauge, [member]: value });
      }}
      onChange={(value) => onChange({ gauge: { ...gauge, [member]: value } }, member)}
    />
  );
  return (
    <div className={styles.two}>
      {field('min', 'Minimum')}
      {field('max', 'Maximum')}
      {field('low', 'Low limit')}
      {field('high', 'High limit')}
    </div>
  );
}

interface NumberProps {
  label: string;
  value: number | null;
  /** Why the value can't be used; null if it can. */
  problemOf: (value: number | null) => string | null;
  onChange: (value: number | null) => void;
}

/** A number, or nothing; it takes effect when it is valid. */
function NumberField({ label, value, problemOf, onChange }: NumberProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const read = (text: string): { value: number | null; problem: string | null } => {
    const number = text.trim() === '' ? null : typedNumber(text);
    if (number?.ok === false) return { value: null, problem: number.reason };
    return { value: number?.value ?? null, problem: problemOf(number?.value ?? null) };
  };
  const problem = typed === null ? null : read(typed).problem;
  return (
    <Field label={label} size="small" {...(problem === null ? {} : { validationMessage: problem })}>
      <Input
        size="small"
        inputMode="decimal"
        value={typed ?? (value === null ? '' : String(value))}
        onChange={(_event, { value: text }) => {
          setTyped(text);
          const next = read(text);
          if (next.problem === null) onChange(next.value);
        }}
        onBlur={() => {
          if (problem === null) setTyped(null);
        }}
      />
    </Field>
  );
}
