import type { ReactNode } from 'react';
import { readValue, VALUE_MODES } from '#domain/run/saved-context';
import type { SavedContext, ValueMode } from '#domain/run/saved-context';
import { TagPathField } from '../../../frame/tag-path-field.tsx';
import { CodeField } from '../../../ui/fields/code-field.tsx';
import { Dropdown, Field, Input, Option } from '../../../ui/fluent.ts';
import styles from './preview.module.css';

const MODE_NAMES: Readonly<Record<ValueMode, string>> = {
  none: 'undefined (not a write)',
  json: 'JSON',
  text: 'Text',
  number: 'Number',
};

interface Props {
  /** Chooses and saves contexts. */
  bar: ReactNode;
  form: SavedContext;
  onChange: (form: SavedContext) => void;
}

/** The variables of the script. */
export function ContextFields({ bar, form, onChange }: Props) {
  const set = (change: Partial<SavedContext>) => onChange({ ...form, ...change });
  const value = readValue(form);
  const problem = value.kind === 'problem' ? { validationMessage: value.message } : {};
  return (
    <div className={styles.context} role="group" aria-label="Context of the run">
      {bar}
      <Field label="tagName" orientation="horizontal" size="small" className={styles.wide}>
        <TagPathField
          value={form.tagName}
          placeholder="Path of the tag that the script runs for"
          onChange={(tagName) => set({ tagName })}
        />
      </Field>
      <Field label="Diagram" orientation="horizontal" size="small">
        <Input
          size="small"
          value={form.diagram}
          placeholder="default"
          onChange={(_event, { value: diagram }) => set({ diagram })}
        />
      </Field>
      <Field label="workcenter" orientation="horizontal" size="small">
        <Input
          size="small"
          value={form.location}
          placeholder="default"
          onChange={(_event, { value: location }) => set({ location })}
        />
      </Field>
      <Field label="tagValue" orientation="horizontal" size="small" className={styles.wide}>
        <Dropdown
          size="small"
          value={MODE_NAMES[form.valueMode]}
          selectedOptions={[form.valueMode]}
          onOptionSelect={(_event, { optionValue }) =>
            set({ valueMode: VALUE_MODES.find((mode) => mode === optionValue) ?? 'none' })
          }
        >
          {VALUE_MODES.map((mode) => (
            <Option key={mode} value={mode}>
              {MODE_NAMES[mode]}
            </Option>
          ))}
        </Dropdown>
      </Field>
      {form.valueMode !== 'none' && (
        <Field className={styles.valueField} size="small" {...problem}>
          {form.valueMode === 'json' ? (
            <CodeField
              language="json"
              aria-label="The value being written"
              rows={4}
              value={form.valueText}
              problem={value.kind === 'problem' ? value.message : undefined}
              onChange={(valueText) => set({ valueText })}
            />
          ) : (
            <Input
              size="small"
              aria-label="The value being written"
              inputMode={form.valueMode === 'number' ? 'decimal' : 'text'}
              value={form.valueText}
              onChange={(_event, { value: valueText }) => set({ valueText })}
            />
          )}
        </Field>
      )}
    </div>
  );
}
