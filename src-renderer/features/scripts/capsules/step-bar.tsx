import { useId, useLayoutEffect, useRef } from 'react';
import { droppedStepsText, stepInLine, stepText } from '#domain/run/replays/run-steps';
import { useCommands } from '../../../frame/workbench.ts';
import { Button } from '../../../ui/fluent.ts';
import { ArrowDownRegular, ArrowUpRegular, DismissRegular, NextRegular, PreviousRegular } from '../../../ui/icons.ts';
import type { CapsuleState } from '../model/capsules.ts';
import type { Doc } from '../model/script-document.ts';
import { useScripts } from '../scripts-context.ts';
import styles from './capsules.module.css';

interface Props {
  doc: Doc;
  stepping: NonNullable<CapsuleState['stepping']>;
  active: boolean;
}

/** The button that starts stepping. */
export const STARTS_STEPS = { 'data-starts-steps': true } as const;
const STARTING = '[data-starts-steps]';

/** Steps forward and back through a replay: the editor shows the values of the current step. */
export function StepBar({ doc, stepping: { run, at, ended }, active }: Props) {
  const { capsules, editor } = useScripts();
  const hintId = useId();
  const slider = useRef<HTMLInputElement>(null);
  // A user who started with a key continues with the arrows.
  useLayoutEffect(() => {
    if (document.activeElement?.matches(STARTING)) slider.current?.focus();
  }, []);
  const end = () => {
    slider.current?.closest('[data-help]')?.querySelector<HTMLElement>(STARTING)?.focus();
    capsules.stopStepping(key);
  };
  const { editor: key } = doc;
  const last = run.steps.parts.length - 1;
  const isStale = ended.body !== doc.text.body;
  const go = (step: number) => capsules.goToStep(key, step);
  const inLine = (direction: 1 | -1) => {
    const line = editor.get()?.line() ?? null;
    const step = line === null ? null : stepInLine(run, line, at, direction);
    if (step !== null) go(step);
  };
  const section = 'Replay';
  useCommands([
    { id: 'step.next', section, title: 'Next step', keys: 'F7', enabled: active && at < last, run: () => go(at + 1) },
    {
      id: 'step.previous',
      section,
      title: 'Previous step',
      keys: 'Shift+F7',
      enabled: active && at > 0,
      run: () => go(at - 1),
    },
    {
      id: 'step.nextInLine',
      section,
      title: 'Next step in the line of the cursor',
      keys: 'Alt+F7',
      enabled: active,
      run: () => inLine(1),
    },
    {
      id: 'step.previousInLine',
      section,
      title: 'Previous step in the line of the cursor',
      keys: 'Alt+Shift+F7',
      enabled: active,
      run: () => inLine(-1),
    },
    { id: 'step.first', section, title: 'First step', enabled: active, run: () => go(0) },
    { id: 'step.last', section, title: 'Last step', enabled: active, run: () => go(last) },
  ]);
  const text = stepText(run, at);
  const dropped = droppedStepsText(run);
  return (
    <div className={styles.steps} role="group" aria-label="Steps of the replay">
      <div className={styles.stepRow}>
        <Button
          size="small"
          appearance="subtle"
          icon={<PreviousRegular />}
          disabledFocusable={at === 0}
          aria-label="Previous step"
          aria-keyshortcuts="Shift+F7"
          title="Previous step (Shift+F7)"
          onClick={() => go(at - 1)}
        />
        <input
          ref={slider}
          type="range"
          className={styles.slider}
          min={1}
          max={last + 1}
          value={at + 1}
          aria-label="Step"
          aria-valuetext={text}
          aria-describedby={hintId}
          onChange={({ target }) => go(Number(target.value) - 1)}
        />
        <Button
          size="small"
          appearance="subtle"
          icon={<NextRegular />}
          disabledFocusable={at === last}
          aria-label="Next step"
          aria-keyshortcuts="F7"
          title="Next step (F7)"
          onClick={() => go(at + 1)}
        />
        <Button
          size="small"
          appearance="subtle"
          icon={<ArrowUpRegular />}
          aria-label="Previous step in the line of the cursor"
          aria-keyshortcuts="Alt+Shift+F7"
          title="Previous step in the line of the cursor (Alt+Shift+F7)"
          onClick={() => inLine(-1)}
        />
        <Button
          size="small"
          appearance="subtle"
          icon={<ArrowDownRegular />}
          aria-label="Next step in the line of the cursor"
          aria-keyshortcuts="Alt+F7"
          title="Next step in the line of the cursor (Alt+F7)"
          onClick={() => inLine(1)}
        />
        <Button
          size="small"
          appearance="subtle"
          icon={<DismissRegular />}
          aria-label="End stepping"
          title="End stepping (Escape in the editor)"
          onClick={end}
        />
      </div>
      <p className={styles.stepText}>
        <span role="status">{text}</span>
        <span id={hintId} className={styles.quiet}>
          {isStale ? 'The text has changed: no values are shown. Undo, or step through again.' : dropped}
        </span>
      </p>
    </div>
  );
}
