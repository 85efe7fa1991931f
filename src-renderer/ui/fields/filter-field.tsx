import type { RefObject } from 'react';
import { Input } from '../fluent.ts';
import { SearchRegular } from '../icons.ts';

interface Props {
  /** The accessible name: `Filter rules`. */
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  /** For the key that focuses it. */
  field: RefObject<HTMLInputElement | null>;
  className?: string | undefined;
}

/** The filter field above a list. */
export function FilterField({ label, placeholder, value, onChange, field, className }: Props) {
  return (
    <Input
      input={{ ref: field }}
      className={className}
      size="small"
      type="search"
      aria-label={label}
      placeholder={placeholder}
      contentBefore={<SearchRegular />}
      value={value}
      onChange={(_event, next) => onChange(next.value)}
    />
  );
}
