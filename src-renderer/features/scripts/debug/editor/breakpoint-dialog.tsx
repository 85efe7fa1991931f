import { useState } from 'react';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { Field, Input } from '../../../../ui/fluent.ts';
import type { BreakpointOptions } from '../model/breakpoints.ts';
import styles from '../pane/debug.module.css';

interface Props {
  line: number;
  options: BreakpointOptions;
  onSubmit: (options: BreakpointOptions) => void;
  onClose: () => void;
}

/** The condition, the hit count and the log text of a breakpoint. */
export function BreakpointDialog({ line, options, onSubmit, onClose }: Props) {
  const [condition, setCondition] = useState(options.condition);
  const [hits, setHits] = useState(options.hits);
  const [log, setLog] = useState(options.log);
  const problem = /^(?:[1-9]\d{0,8})?$/.test(hits.trim()) ? null : 'A whole number from 1';
  const changed = condition !== options.condition || hits !== options.hits || log !== options.log;
  return (
    <FormDialog
      title={`Breakpoint at line ${line}`}
      action="Set"
      changed={changed}
      disabled={problem !== null}
      className={styles.form}
      onSubmit={() => onSubmit({ condition: condition.trim(), hits: hits.trim(), log: log.trim() })}
      onClose={onClose}
    >
      <Field label="Pause only if this is true" hint="An expression, such as speed > 100">
        <Input
          className={styles.code}
          value={condition}
          spellCheck={false}
          autoFocus
          onChange={(_event, { value }) => setCondition(value)}
        />
      </Field>
      <Field
        label="Pause from this hit on"
        {...(problem === null ? { hint: 'Empty: from the first one' } : { validationMessage: problem })}
      >
        <Input value={hits} inputMode="numeric" onChange={(_event, { value }) => setHits(value)} />
      </Field>
      <Field label="Log this text instead of pausing" hint="Expressions in braces: speed is {speed}">
        <Input className={styles.code} value={log} spellCheck={false} onChange={(_event, { value }) => setLog(value)} />
      </Field>
    </FormDialog>
  );
}
