import { useEffect, useEffectEvent, useState } from 'react';
import { remember, remembered } from '../support/local-storage.ts';
import { Button } from '../ui/fluent.ts';
import { Kbd } from '../ui/text/kbd.tsx';
import styles from './frame.module.css';

const STEPS = [
  {
    title: 'Scripts',
    text: 'The scripts of this workspace are on the left, the editor is in the middle, the results are on the right. Try the sample plant.',
    keys: 'F5',
    does: 'runs the open script',
  },
  {
    title: 'Find anything',
    text: 'Find every script, tag and command by name with the command palette.',
    keys: 'Ctrl+K',
    does: 'opens the command palette',
  },
  {
    title: 'The other views',
    text: 'Switch views with the bar on the left. Each view keeps its state while another one is open.',
    keys: 'Ctrl+2',
    does: 'shows the tags',
  },
  {
    title: 'Status at a glance',
    text: 'The status bar shows the script hosts, the events API, where API calls go, and notices.',
    keys: 'F1',
    does: 'shows the manual, Shift+F1 all keys',
  },
] as const;

const MEMORY = 'first-steps';

/** Whether this browser profile has seen or skipped the first steps. */
export function firstStepsDone(): boolean {
  return remembered<string>(MEMORY, '') === 'done';
}

/** Four first steps for new users; next to the work, never in front of it. F6 moves the focus into them. */
export function FirstSteps({ onDone }: { onDone: () => void }) {
  const [at, setAt] = useState(0);
  const step = STEPS[at] ?? STEPS[0];
  const last = at === STEPS.length - 1;
  const end = () => {
    remember(MEMORY, 'done');
    onDone();
  };
  // A focus that is on no element yet also counts.
  const ended = useEffectEvent(({ key, target }: KeyboardEvent) => {
    if (key === 'Escape' && target === document.body) end();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => ended(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  return (
    <aside
      className={styles.firstSteps}
      aria-label="First steps"
      data-pane="first-steps"
      onKeyDown={({ key }) => key === 'Escape' && end()}
    >
      <div aria-live="polite">
        <h2>
          {step.title} <small>{`${at + 1} of ${STEPS.length}`}</small>
        </h2>
        <p>{step.text}</p>
        <p>
          <Kbd keys={step.keys} /> {step.does}.
        </p>
      </div>
      <div className={styles.firstStepsActions}>
        <Button size="small" appearance="primary" onClick={() => (last ? end() : setAt(at + 1))} data-pane-focus>
          {last ? 'Done' : 'Next'}
        </Button>
        {!last && (
          <Button size="small" appearance="subtle" onClick={end}>
            Skip
          </Button>
        )}
      </div>
    </aside>
  );
}
