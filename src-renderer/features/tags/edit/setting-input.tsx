import type { TagType } from '#domain/tag/tag';
import { SIGNAL_KINDS } from '#domain/tag/signal';
import { CodeField } from '../../../ui/fields/code-field.tsx';
import type { CodeFieldProps } from '../../../ui/fields/code-field.tsx';
import { SuggestField } from '../../../ui/fields/suggest-field.tsx';
import { Checkbox, Dropdown, Field, Input, Option, Textarea } from '../../../ui/fluent.ts';
import type { SettingField } from './kind-fields.ts';
import { SIGNAL_NAMES } from './kind-fields.ts';
import styles from './edit.module.css';

interface Props {
  field: SettingField;
  type: TagType;
  text: string;
  problem: string | undefined;
  /** The available scripts, as `Group/Name`. */
  scripts: readonly string[];
  /** Paths of tags, by their words. */
  completeTags: (text: string) => Promise<readonly string[]>;
  onChange: (text: string) => void;
}

/** One member of the settings of a tag, by its kind. */
export function SettingInput({ field, type, text, problem, scripts, completeTags, onChange }: Props) {
  const { label, sort, hint, placeholder = '', optional = false } = field;
  if (sort === 'flag') {
    return (
      <Checkbox
        label={label}
        checked={text === 'true'}
        onChange={(_event, { checked }) => onChange(checked === true ? 'true' : 'false')}
      />
    );
  }
  return (
    <Field
      label={label}
      size="small"
      required={!optional}
      {...(problem === undefined ? {} : { validationMessage: problem })}
      {...(hint === undefined ? {} : { hint })}
      className={wide(field, type) ? styles.wide : undefined}
    >
      {input()}
    </Field>
  );

  function input() {
    if (sort === 'signal') {
      return (
        <Dropdown
          size="small"
          value={SIGNAL_NAMES[text] ?? text}
          selectedOptions={[text]}
          onOptionSelect={(_event, { optionValue }) => onChange(optionValue ?? text)}
        >
          {SIGNAL_KINDS.map((kind) => (
            <Option key={kind} value={kind}>
              {SIGNAL_NAMES[kind] ?? kind}
            </Option>
          ))}
        </Dropdown>
      );
    }
    if (sort === 'script') {
      return (
        <SuggestField
          size="small"
          value={text}
          placeholder={placeholder}
          choices={scripts.filter((name) => name.toLowerCase().includes(text.toLowerCase())).slice(0, 50)}
          onChange={onChange}
        />
      );
    }
    const language = languageOf(field, type);
    if (language !== null) {
      return (
        <CodeField
          name={`settings.${field.name}`}
          language={language}
          rows={sort === 'json' ? 5 : 3}
          placeholder={placeholder}
          value={text}
          problem={problem}
          completeTags={completeTags}
          onChange={onChange}
        />
      );
    }
    if (wide(field, type)) {
      return (
        <Textarea
          name={`settings.${field.name}`}
          size="small"
          rows={sort === 'value' ? 3 : 5}
          resize="vertical"
          spellCheck={false}
          dir="ltr"
          className={styles.code}
          placeholder={placeholder}
          value={text}
          onChange={(_event, { value }) => onChange(value)}
        />
      );
    }
    return (
      <Input size="small" value={text} placeholder={placeholder} onChange={(_event, { value }) => onChange(value)} />
    );
  }
}

function languageOf({ sort }: SettingField, type: TagType): CodeFieldProps['language'] | null {
  if (sort === 'json' || sort === 'sql' || sort === 'expression') return sort;
  return sort === 'value' && type === 'Json' ? 'json' : null;
}

/** Whether a field uses the full width and several lines. */
function wide(field: SettingField, type: TagType): boolean {
  const { sort } = field;
  return languageOf(field, type) !== null || sort === 'recording' || (sort === 'value' && type === 'Bytes');
}
