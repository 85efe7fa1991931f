import { Combobox, Option } from '@fluentui/react-components';

interface Props {
  value: string;
  /** Texts that can be chosen; any other text may be typed. */
  choices: readonly string[];
  onChange: (value: string) => void;
  size?: 'small' | 'medium';
  placeholder?: string;
  'aria-label'?: string;
  autoFocus?: boolean;
  /** Given, the list is open when this is true and there are choices. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}

/** A line of text with suggestions. */
export function SuggestField({ value, choices, onChange, size = 'medium', open, onOpenChange, ...rest }: Props) {
  return (
    <Combobox
      {...rest}
      {...(open === undefined ? {} : { open: open && choices.length > 0 })}
      freeform
      // One stop for Tab: the arrows open the list.
      expandIcon={{ tabIndex: -1 }}
      size={size}
      value={value}
      selectedOptions={choices.includes(value) ? [value] : []}
      onOpenChange={(_event, { open: next }) => onOpenChange?.(next)}
      onChange={(event) => onChange(event.target.value)}
      onOptionSelect={(_event, { optionText }) => {
        // Without a text it only says that what is typed is none of the choices.
        if (optionText !== undefined) onChange(optionText);
      }}
    >
      {choices.map((choice) => (
        <Option key={choice}>{choice}</Option>
      ))}
    </Combobox>
  );
}
