import { typedWhole } from '#domain/text/typed-number';
import type { TypedNumber } from '#domain/text/typed-number';
import { Input, Tooltip } from '../fluent.ts';
import styles from './count-field.module.css';

interface Props {
  /** Default: the label around it names the field. */
  'aria-label'?: string;
  value: string;
  range: { min: number; max: number };
  /** Whether it is visible: its problem is shown only then. */
  active: boolean;
  onChange: (text: string) => void;
}

/** A whole number in a toolbar; its problem is shown above the content below, so that nothing moves. */
export function CountField({ value, range, active, onChange, ...rest }: Props) {
  const typed: TypedNumber = typedWhole(value, range);
  return (
    <Tooltip
      visible={active && !typed.ok}
      positioning="below-start"
      relationship="description"
      content={<span role="alert">{typed.ok ? '' : typed.reason}</span>}
    >
      <Input
        {...rest}
        size="small"
        className={styles.count ?? ''}
        inputMode="numeric"
        aria-invalid={!typed.ok}
        title={`${range.min.toLocaleString('en')} to ${range.max.toLocaleString('en')}`}
        value={value}
        onChange={(_event, { value: next }) => onChange(next)}
      />
    </Tooltip>
  );
}
