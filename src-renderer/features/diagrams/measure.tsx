import { Field, Input } from '@fluentui/react-components';
import { useState } from 'react';

interface MeasureProps {
  label: string;
  value: number;
  low: number;
  high: number;
  onChange: (value: number) => void;
}

/** A whole number of px; what is typed holds once it is within the range. */
export function Measure({ label, value, low, high, onChange }: MeasureProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const wrong = typed !== null && !fits(typed, low, high);
  return (
    <Field
      label={`${label} (px)`}
      size="small"
      {...(wrong ? { validationMessage: `A whole number from ${low} to ${high}` } : {})}
    >
      <Input
        size="small"
        inputMode="numeric"
        value={typed ?? String(value)}
        onChange={(_event, { value: text }) => {
          setTyped(text);
          if (fits(text, low, high)) onChange(Number(text));
        }}
        onBlur={() => setTyped(null)}
      />
    </Field>
  );
}

function fits(text: string, low: number, high: number): boolean {
  return /^\d{1,5}$/.test(text.trim()) && Number(text) >= low && Number(text) <= high;
}
