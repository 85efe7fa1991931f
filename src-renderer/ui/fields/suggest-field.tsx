import { Combobox, Option } from '../fluent.ts';

interface Props {
  value: string;
  /** Suggested texts; any other text can be typed. */
  choices: readonly string[];
  onChange: (value: string) => void;
  size?: 'small' | 'medium';
  placeholder?: string;
  'aria-label'?: string;
  'aria-invalid'?: boolean;
  autoFocus?: boolean;
  /** Optional: the list is open when this is true and there are suggestions. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}

/** A single-line text field with suggestions. */
export function SuggestField({ value, choices, onChange, size = 'medium', open, onOpenChange, ...rest }: Props) {
  return (
    <Combobox
      {...rest}
      {...(open === undefined ? {} : { open: open && choices.length > 0 })}
      freeform
      // One tab stop: the arrows open the list.
      expandIcon={{ tabIndex: -1 }}
      size={size}
      value={value}
      selectedOptions={choices.includes(value) ? [value] : []}
      onOpenChange={(_event, { open: next }) => onOpenChange?.(next)}
      onChange={(event) => onChange(event.target.value)}
      onOptionSelect={(_event, { optionText }) => {
        // Without suggestions, it would only say that the text matches none.
        if (optionText !== undefined) onChange(optionText);
      }}
    >
      {choices.map((choice) => (
        <Option key={choice}>{choice}</Option>
      ))}
    </Combobox>
  );
}
