import { Button } from '@fluentui/react-components';
import { useEffect, useEffectEvent, useState } from 'react';
import { remember, remembered } from '../support/local-storage.ts';
import { Kbd } from '../ui/text/kbd.tsx';
import styles from './frame.module.css';

const STEPS = [
  {
    title: 'Scripts',
    text: 'On the left the scripts of this workspace, in the middle the text, on the right what it does. The sample plant can be tried at once.',
    keys: 'F5',
    does: 'runs the script that is open',
  },
  {
    title: 'Find anything',
    text: 'Every script, tag and command has a name, and the palette finds it.',
    keys: 'Ctrl+K',
    does: 'opens the palette',
  },
  {
    title: 'The other views',
    text: 'The rail on the left leads to tags and to everything else of the plant. Each view keeps its place while you are elsewhere.',
    keys: 'Ctrl+2',
    does: 'shows the tags',
  },
  {
    title: 'The state of it all',
    text: 'The line below shows the script hosts, where the events API listens, whether API calls go live, and what was said.',
    keys: 'F1',
    does: 'shows all keys',
  },
] as const;

const MEMORY = 'first-steps';

/** Whether this browser profile has seen or skipped the first steps. */
export function firstStepsDone(): boolean {
  return remembered<string>(MEMORY, '') === 'done';
}

/** Four steps for who opens Tagwright for the first time; beside the work, never in front of it. F6 leads into it. */
export function FirstSteps({ onDone }: { onDone: () => void }) {
  const [at, setAt] = useState(0);
  const step = STEPS[at] ?? STEPS[0];
  const last = at === STEPS.length - 1;
  const end = () => {
    remember(MEMORY, 'done');
    onDone();
  };
  // Somebody who has not been anywhere yet means them too.
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
