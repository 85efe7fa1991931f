import { CodeField } from '../../../ui/fields/code-field.tsx';
import { Textarea } from '../../../ui/fluent.ts';
import styles from './editor.module.css';

/** Longer texts are plain: highlighting them delays each key. */
const LONGEST = 1_000_000;

interface Props {
  /** The field of the form. */
  name: string;
  rows: number;
  value: string;
  problem: string | undefined;
  onChange: (text: string) => void;
}

/** The JSON of a body: highlighted, with a mark where it is invalid. */
export function JsonField(props: Props) {
  if (props.value.length > LONGEST) return <PlainField {...props} />;
  return <CodeField language="json" {...props} />;
}

/** The text of a body. */
export function PlainField({ name, rows, value, onChange }: Props) {
  return (
    <Textarea
      name={name}
      size="small"
      className={styles.code}
      rows={rows}
      resize="vertical"
      spellCheck={false}
      value={value}
      onChange={(_event, { value: text }) => onChange(text)}
    />
  );
}
