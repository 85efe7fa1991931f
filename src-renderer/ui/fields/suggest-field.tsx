import { type ReactNode, useRef } from 'react';
import { Combobox, Option } from '../fluent.ts';

interface Props {
  value: string;
  /** Suggested texts; any other text can be typed. */
  choices: readonly string[];
  /** What the list shows of suggestions; default: their texts. */
  lines?: ReadonlyMap<string, ReactNode>;
  onChange: (value: string) => void;
  size?: 'small' | 'medium';
  placeholder?: string;
  'aria-label'?: string;
  'aria-invalid'?: boolean;
  autoFocus?: boolean;
  disabled?: boolean;
  /**
   * A typed text is often a new one: Enter selects only a suggestion that begins with it, or that the arrows chose, and
   * else submits the form. Otherwise, Enter selects the first suggestion.
   */
  isOftenNew?: boolean;
  /** Optional: the list is open when this is true and there are suggestions. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}

const LIST_KEYS: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp']);

/** A single-line text field with suggestions. */
export function SuggestField(props: Props) {
  const { value, choices, lines, onChange, size = 'medium', open, onOpenChange, isOftenNew = false, ...rest } = props;
  const moved = useRef(false);
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
      onChange={(event) => {
        moved.current = false;
        onChange(event.target.value);
      }}
      onKeyDownCapture={(event) => {
        if (LIST_KEYS.has(event.key)) moved.current = true;
        if (!isOftenNew || event.key !== 'Enter' || moved.current) return;
        const id = event.currentTarget.getAttribute('aria-activedescendant');
        const suggestion = (id === null ? null : document.getElementById(id)?.textContent) ?? null;
        const completes = suggestion?.toLowerCase().startsWith(value.toLowerCase()) ?? false;
        if (!completes) event.stopPropagation();
      }}
      onOptionSelect={(_event, { optionText }) => {
        moved.current = false;
        // Without suggestions, it would only say that the text matches none.
        if (optionText !== undefined) onChange(optionText);
      }}
    >
      {choices.map((choice) => (
        <Option key={choice} text={choice}>
          {lines?.get(choice) ?? choice}
        </Option>
      ))}
    </Combobox>
  );
}
