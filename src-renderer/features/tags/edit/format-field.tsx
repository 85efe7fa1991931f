import { formatted, SUGGESTED_FORMATS } from '#domain/tag/number-format';
import { SuggestField } from '../../../ui/fields/suggest-field.tsx';
import { Field } from '../../../ui/fluent.ts';
import styles from './edit.module.css';

interface Props {
  value: string;
  /** The current value of the tag as an example; null if it is not known. */
  example: number | null;
  problem?: string | undefined;
  /** Shown below, before the example. */
  note?: string | undefined;
  disabled?: boolean;
  /** Without a label of its own. */
  'aria-label'?: string;
  onChange: (format: string) => void;
}

/** For a tag without a value: with a sign, thousands and decimal places. */
const ANY_NUMBER = 1_234.5678;

/** A number format, with an example of it and suggestions, each with its example. */
export function FormatField({ value, example, problem, note, disabled = false, onChange, ...rest }: Props) {
  const number = example ?? ANY_NUMBER;
  const shown = value.trim() === '' ? null : formatted(number, value.trim());
  const lines = new Map(
    SUGGESTED_FORMATS.map((format) => [
      format,
      <span key={format} className={styles.format}>
        <span>{format}</span>
        <span className={styles.example}>{formatted(number, format)}</span>
      </span>,
    ]),
  );
  const hint = [note ?? '', shown === null ? '' : example === null ? `${number} is shown as ${shown}` : `Now: ${shown}`]
    .join(' ')
    .trim();
  const label = rest['aria-label'];
  return (
    <Field
      {...(label === undefined ? { label: 'Format' } : {})}
      size="small"
      {...(problem === undefined ? {} : { validationMessage: problem })}
      {...(problem === undefined && hint !== '' ? { hint } : {})}
    >
      <SuggestField
        {...rest}
        size="small"
        isOftenNew
        value={value}
        placeholder="automatic"
        disabled={disabled}
        choices={SUGGESTED_FORMATS}
        lines={lines}
        onChange={onChange}
      />
    </Field>
  );
}
