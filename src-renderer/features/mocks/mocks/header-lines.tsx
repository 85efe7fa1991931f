import { Button, Field, Input } from '../../../ui/fluent.ts';
import { AddRegular, DismissRegular } from '../../../ui/icons.ts';
import type { Issues } from '../../../client/issues.ts';
import { type HeaderLine, withHeader } from '../model/answer-form.ts';
import { validationOf } from '../../../drafted/validation.ts';
import styles from './editor.module.css';

interface Props {
  /** The purpose of these headers: `Required header`. */
  label: string;
  lines: readonly HeaderLine[];
  issues: Issues;
  /** The field of these headers: `request.headers`. */
  field: string;
  onChange: (lines: HeaderLine[]) => void;
}

/** Headers, one per line. */
export function HeaderLines({ label, lines, issues, field, onChange }: Props) {
  const set = (key: number, change: Partial<HeaderLine>) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...change } : line)));
  return (
    <div className={styles.headers}>
      {lines.map(({ key, name, value }, index) => (
        <Field key={key} size="small" {...validationOf(issues.get(`${field}.${key}`))}>
          <div className={styles.header}>
            <Input
              id={`${field}.${key}.name`}
              size="small"
              autoFocus={name === '' && value === ''}
              aria-label={`${label} ${index + 1}: name`}
              placeholder="Name"
              value={name}
              onChange={(_event, { value: text }) => set(key, { name: text })}
            />
            <Input
              name={`${field}.${index}`}
              size="small"
              aria-label={`${label} ${index + 1}: value`}
              placeholder="Value"
              value={value}
              onChange={(_event, { value: text }) => set(key, { value: text })}
            />
            <Button
              size="small"
              appearance="subtle"
              icon={<DismissRegular />}
              aria-label={`Remove: ${label} ${index + 1}`}
              onClick={() => onChange(lines.filter((line) => line.key !== key))}
            />
          </div>
        </Field>
      ))}
      <Button size="small" appearance="subtle" icon={<AddRegular />} onClick={() => onChange(withHeader(lines))}>
        {label}
      </Button>
    </div>
  );
}
