import { useLayoutEffect, useRef } from 'react';
import { deferred } from '../deferred.tsx';
import { type FieldControlProps, Textarea, useFieldControlProps } from '../fluent.ts';
import type { CodeMirrorProps } from './code/code-mirror.tsx';
import type { CodeLanguage } from './code/languages.ts';
import { placeOf } from './code/place.ts';
import type { Selection } from './code/selection.ts';
import styles from './code/code.module.css';

export interface CodeFieldProps {
  /** In its form, as of a field of the browser. */
  name?: string;
  language: CodeLanguage;
  value: string;
  onChange: (text: string) => void;
  /** Its place is marked: `line 2, column 5`, or the text that SQLite names. */
  problem?: string | undefined;
  /** Lines that are visible when the text is short; it grows with the text. */
  rows?: number;
  placeholder?: string;
  readOnly?: boolean;
  /** Default: the `Field` around it names the field. */
  'aria-label'?: string;
  /** The tag paths that complete typed text between the quotes of an expression. */
  completeTags?: (text: string) => Promise<readonly string[]>;
}

const Editor = deferred(
  async () => (await import('./code/code-mirror.tsx')).CodeMirror,
  (props) => <PlainEditor {...props} />,
);

/** A text field with several lines of highlighted code. Tab leaves it. Until the editor is there, it is a plain one. */
export function CodeField({ problem, rows = 5, placeholder = '', readOnly = false, ...props }: CodeFieldProps) {
  // The label is for an element that a browser does not know as a field, so only its text names it.
  const field = useFieldControlProps<FieldControlProps>({}, { supportsLabelFor: false });
  const focused = useRef<Selection | null>(null);
  const place = problem === undefined ? null : placeOf(problem, props.value);
  return (
    <Editor
      {...props}
      rows={rows}
      placeholder={placeholder}
      readOnly={readOnly}
      invalid={problem !== undefined || field['aria-invalid'] === true || field['aria-invalid'] === 'true'}
      required={field['aria-required'] === true || field['aria-required'] === 'true'}
      labelledBy={field['aria-labelledby']}
      describedBy={field['aria-describedby']}
      from={place?.from ?? -1}
      to={place?.to ?? -1}
      takeFocus={() => {
        const { current } = focused;
        focused.current = null;
        return current;
      }}
      giveFocus={(selection) => {
        focused.current = selection;
      }}
    />
  );
}

/** Passes its focus and selection on to the editor that replaces it. */
function PlainEditor(props: CodeMirrorProps) {
  const { value, onChange, rows, placeholder, readOnly, invalid, required, labelledBy, describedBy, giveFocus } = props;
  const host = useRef<HTMLDivElement>(null);
  const give = useRef(giveFocus);
  useLayoutEffect(() => {
    const field = host.current?.querySelector('textarea');
    const { current } = give;
    return () => {
      if (field && field === document.activeElement) current({ from: field.selectionStart, to: field.selectionEnd });
    };
  }, []);
  return (
    <div ref={host} className={styles.plain}>
      <Textarea
        name={props.name}
        size="small"
        rows={rows}
        spellCheck={false}
        dir="ltr"
        placeholder={placeholder}
        readOnly={readOnly}
        aria-label={props['aria-label']}
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        aria-invalid={invalid}
        aria-required={required}
        value={value}
        onChange={(_event, { value: text }) => onChange(text)}
      />
    </div>
  );
}
