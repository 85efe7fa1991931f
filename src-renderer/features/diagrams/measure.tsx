import { useState } from 'react';
import { typedWhole } from '#domain/text/typed-number';
import { Field, Input } from '../../ui/fluent.ts';

interface MeasureProps {
  label: string;
  value: number;
  low: number;
  high: number;
  onChange: (value: number) => void;
}

/** A whole number of px; it takes effect when it is in range. */
export function Measure({ label, value, low, high, onChange }: MeasureProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const range = { min: low, max: high };
  const read = typed === null ? null : typedWhole(typed, range);
  return (
    <Field label={`${label} (px)`} size="small" {...(read?.ok === false ? { validationMessage: read.reason } : {})}>
      <Input
        size="small"
        inputMode="numeric"
        value={typed ?? String(value)}
        onChange={(_event, { value: text }) => {
          setTyped(text);
          const next = typedWhole(text, range);
          if (next.ok) onChange(next.value);
        }}
        onBlur={() => {
          if (read?.ok) setTyped(null);
        }}
      />
    </Field>
  );
}
