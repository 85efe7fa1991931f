import { useState } from 'react';
import type { FormEvent } from 'react';
import type { DiagramPart } from '#domain/tag/diagram';
import { Input } from '../ui/fluent.ts';
import { isNotable, QualityMark } from '../ui/text/quality.tsx';
import { shownAs, wholeValue } from '../support/shown-value.ts';
import { typedValue } from '../support/typed-value.ts';
import { usePage, useShownValue } from './page-context.ts';
import styles from './page.module.css';

/** A field that shows the value of its tag and writes the typed text on Enter. Escape cancels. */
export function InputPart({ part }: { part: DiagramPart }) {
  const { definitions, write } = usePage();
  const value = useShownValue(part.tag);
  const [typed, setTyped] = useState<string | null>(null);
  const [focused, setFocused] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const label = part.label === '' ? part.tag : part.label;
  const name = label === '' ? 'No tag chosen' : label;
  const whole = wholeValue(value?.value ?? null);
  // A single-line field would lose the other lines.
  const hasLines = /[\r\n]/.test(whole);
  // The full value is edited, never its short form.
  const shown = focused || whole === '' ? whole : shownAs(value?.value ?? null, definitions.get(part.tag)?.format);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (typed === null || !write) return;
    const next = typedValue(typed, definitions.get(part.tag)?.type ?? 'String');
    const refusal = next.ok ? await write(part.tag, next.value) : next.reason;
    setProblem(refusal);
    if (refusal === null) setTyped(null);
  };
  return (
    <form className={styles.value} title={part.tag} onSubmit={(event) => void submit(event)}>
      <span className={styles.label} title={name}>
        {name}
      </span>
      <Input
        className={styles.field ?? ''}
        size="small"
        aria-label={name}
        aria-invalid={problem !== null}
        value={typed ?? shown}
        disabled={part.tag === ''}
        readOnly={!write || hasLines}
        {...(hasLines && { title: 'Multi-line text: edit it in the Tags view' })}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onChange={(_event, { value: text }) => {
          setTyped(text);
          setProblem(null);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || typed === null) return;
          event.stopPropagation();
          setTyped(null);
          setProblem(null);
        }}
      />
      {problem !== null ? (
        <span role="alert" className={styles.problem} title={problem}>
          {problem}
        </span>
      ) : typed !== null ? (
        <span className={styles.more}>Enter to write, Escape to cancel</span>
      ) : (
        value && isNotable(value) && <QualityMark value={value} />
      )}
    </form>
  );
}
