import type { ComponentType } from 'react';
import { Dropdown, Option } from '../fluent.ts';
import styles from './choice-field.module.css';

/** One of several values, with a one-line explanation in the list. */
export interface Choice<Value extends string> {
  value: Value;
  name: string;
  explanation: string;
  icon: ComponentType;
}

interface Props<Value extends string> {
  choices: readonly Choice<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  'aria-label'?: string;
}

/** A field with a list of choices that explains each of them. */
export function ChoiceField<Value extends string>({ choices, value, onChange, ...named }: Props<Value>) {
  const chosen = choices.find((choice) => choice.value === value);
  const Icon = chosen?.icon;
  return (
    <Dropdown
      {...named}
      size="small"
      className={styles.field ?? ''}
      value={chosen?.name ?? ''}
      selectedOptions={[value]}
      title={chosen?.explanation}
      listbox={{ className: styles.list ?? '' }}
      positioning={{ position: 'below', align: 'start' }}
      button={{
        children: (
          <span className={styles.chosen}>
            {Icon && <Icon />}
            <span>{chosen?.name}</span>
          </span>
        ),
      }}
      onOptionSelect={(_event, { optionValue }) => {
        const next = choices.find((choice) => choice.value === optionValue);
        if (next) onChange(next.value);
      }}
    >
      {choices.map(({ value: one, name, explanation, icon: OptionIcon }) => (
        <Option key={one} value={one} text={name}>
          <span className={styles.choice}>
            <OptionIcon />
            <span>{name}</span>
            <span className={styles.explanation}>{explanation}</span>
          </span>
        </Option>
      ))}
    </Dropdown>
  );
}
