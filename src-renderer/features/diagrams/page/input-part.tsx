import { Input } from '@fluentui/react-components';
import { useState } from 'react';
import type { FormEvent } from 'react';
import type { DiagramPart } from '#domain/diagram';
import { shownLive } from '../../../ui/shown-value.ts';
import { useLiveValue } from '../../../client/live-values.ts';
import { typedValue } from '../../../ui/typed-value.ts';
import { usePage } from './page-context.ts';
import styles from './page.module.css';

/** A field that shows the value of its tag and writes what is typed, on Enter. Escape gives up what was typed. */
export function InputPart({ part, live }: { part: DiagramPart; live: boolean }) {
  const { values, definitions, write } = usePage();
  const value = useLiveValue(values, part.tag);
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const label = part.label === '' ? part.tag : part.label;
  const shown = value === undefined || value.value === null ? '' : shownLive(value.value);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (typed === null || !live) return;
    const next = typedValue(typed, definitions.get(part.tag)?.type ?? 'String');
    const refusal = next.ok ? await write(part.tag, next.value) : next.reason;
    setProblem(refusal);
    if (refusal === null) setTyped(null);
  };
  return (
    <form className={styles.value} title={part.tag} onSubmit={(event) => void submit(event)}>
      <span className={styles.label}>{label === '' ? 'No tag chosen' : label}</span>
      <Input
        className={styles.field ?? ''}
        size="small"
        aria-label={label === '' ? 'No tag chosen' : label}
        aria-invalid={problem !== null}
        value={typed ?? shown}
        disabled={part.tag === ''}
        {...(live ? {} : { readOnly: true, input: { tabIndex: -1 } })}
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
      {problem === null ? (
        typed !== null && <span className={styles.more}>Enter writes it</span>
      ) : (
        <span role="alert" className={styles.problem}>
          {problem}
        </span>
      )}
    </form>
  );
}
