import { useState } from 'react';
import type { Json } from '#domain/text/json';
import { useWorkbench } from '../../frame/workbench.ts';
import { Button, Field as FluentField, Input, Select, Switch, Textarea } from '../../ui/fluent.ts';
import { ArrowUndoRegular } from '../../ui/icons.ts';
import { KeyField } from './key-field.tsx';
import type { SettingEntry } from './model/catalog.ts';
import { plainText, readText, textOf } from './model/setting-text.ts';
import styles from './settings.module.css';

interface Props {
  field: SettingEntry;
  value: Json;
  /** The default value. */
  usual: Json;
  /** What differs from the value now. */
  note?: string | null;
  /** Rejects with the reason. */
  onChange: (value: Json) => Promise<void>;
  onReset: () => void;
}

/** A setting: its description, its value, and a reset. */
export function SettingRow({ field, value, usual, note = null, onChange, onReset }: Props) {
  const { title, help, control, key } = field;
  const changed = JSON.stringify(value) !== JSON.stringify(usual);
  const helpId = `help-${key}`;
  const { notify } = useWorkbench();
  const choose = (next: Json) => {
    onChange(next).catch((error: unknown) => notify({ intent: 'error', title: `${title} was not changed`, error }));
  };
  return (
    <div className={styles.row} data-changed={changed}>
      <div className={styles.about}>
        <span className={styles.title}>{title}</span>
        <span id={helpId} className={styles.help}>
          {help} {note !== null && <strong>{note} </strong>}
          <code>{key}</code>
        </span>
      </div>
      <div className={styles.control}>
        {control.kind === 'key' ? (
          <KeyField isSet={value !== ''} onChange={onChange} />
        ) : control.kind === 'switch' ? (
          <Switch
            aria-label={title}
            aria-describedby={helpId}
            checked={value === true}
            onChange={(_event, { checked }) => choose(checked)}
          />
        ) : control.kind === 'choice' ? (
          <Select
            size="small"
            aria-label={title}
            aria-describedby={helpId}
            value={plainText(value)}
            onChange={(_event, { value: next }) => choose(next)}
          >
            {control.choices.map((one) => (
              <option key={one.value} value={one.value}>
                {one.label}
              </option>
            ))}
          </Select>
        ) : (
          <TypedValue field={field} value={value} helpId={helpId} onChange={onChange} />
        )}
        <Button
          size="small"
          appearance="subtle"
          className={styles.reset}
          icon={<ArrowUndoRegular />}
          style={{ visibility: changed ? 'visible' : 'hidden' }}
          aria-label={`Reset ${title}`}
          title={`Reset to ${control.kind === 'key' ? 'none' : textOf(control, usual) || 'none'}`}
          onClick={({ currentTarget }) => {
            // It is hidden afterwards.
            currentTarget.parentElement?.querySelector<HTMLElement>('input, textarea, select, button')?.focus();
            onReset();
          }}
        />
      </div>
    </div>
  );
}

function TypedValue({ field, value, helpId, onChange }: Omit<Props, 'usual' | 'onReset'> & { helpId: string }) {
  const { control, title } = field;
  const stored = textOf(control, value);
  /** The typed text; null while it equals the stored value, which others may change. */
  const [draft, setDraft] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const text = draft ?? stored;
  const change = (next: string | null) => {
    setDraft(next);
    setProblem(null);
  };
  const save = async () => {
    if (text === stored) return change(null);
    const typed = readText(control, text, value);
    if ('problem' in typed) return setProblem(typed.problem);
    try {
      await onChange(typed.value);
      // Text typed in the meantime stays.
      setDraft((now) => (now === text ? null : now));
      setProblem(null);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const shared = {
    'aria-label': title,
    'aria-describedby': helpId,
    value: text,
    onBlur: () => void save(),
  };
  const many = control.kind === 'lines' || control.kind === 'pairs';
  return (
    <FluentField className={styles.field} {...(problem === null ? {} : { validationMessage: problem })}>
      {many ? (
        <Textarea
          {...shared}
          className={styles.lines}
          size="small"
          rows={Math.min(6, Math.max(2, text.split('\n').length))}
          placeholder={control.placeholder}
          onChange={(_event, { value: next }) => change(next)}
        />
      ) : (
        <Input
          {...shared}
          size="small"
          placeholder={control.kind === 'text' ? control.placeholder : ''}
          inputMode={control.kind === 'number' ? 'numeric' : 'text'}
          contentAfter={control.kind === 'number' ? <span className={styles.unit}>{control.unit}</span> : null}
          onChange={(_event, { value: next }) => change(next)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') void save();
            if (event.key === 'Escape') change(null);
          }}
        />
      )}
    </FluentField>
  );
}
