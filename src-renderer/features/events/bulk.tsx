import { useEffect, useRef, useState } from 'react';
import { problemOf } from '../../client/errors.ts';
import { useCommands, useWorkbench } from '../../frame/workbench.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Button, ProgressBar } from '../../ui/fluent.ts';
import type { EventsFilter } from './model/event-feed.ts';
import type { EventSelection } from './model/selection.ts';
import { sizeOf } from './model/selection.ts';
import styles from './events.module.css';

type Act = 'disable' | 'activate' | 'delete';

const ACTS: readonly Act[] = ['disable', 'activate', 'delete'];

/** `keys` are those of the list. */
const WORDS: Readonly<Record<Act, { verb: string; done: string; keys: string }>> = {
  disable: { verb: 'Disable', done: 'disabled', keys: 'D' },
  activate: { verb: 'Re-activate', done: 're-activated', keys: 'R' },
  delete: { verb: 'Delete', done: 'deleted', keys: 'Delete' },
};

interface Props {
  active: boolean;
  /** Whether the list with the selection is visible. Progress is shown in any case. */
  shown: boolean;
  filter: EventsFilter;
  selection: EventSelection;
  /** The selected events are not in the list any more. */
  onGone: () => void;
}

/** Disables, re-activates and deletes the selected events, with progress; completed steps stay when it is stopped. */
export function BulkActions({ active, shown, filter, selection, onGone }: Props) {
  const { client, notify } = useWorkbench();
  const [progress, setProgress] = useState<{ done: number; of: number } | null>(null);
  const [confirming, setConfirming] = useState(false);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const size = sizeOf(selection);

  const perform = async (act: Act) => {
    const end = new AbortController();
    stop.current = end;
    const { range, except, ids } = selection;
    let done = 0;
    const say = () => `${done.toLocaleString('en')} of ${size.toLocaleString('en')} ${WORDS[act].done}`;
    setProgress({ done, of: size });
    try {
      const chosen = range && { first: range.first, last: range.last, except: [...except] };
      const steps = await client.events.bulk({ ...filter, act, range: chosen, ids: [...ids] }, { signal: end.signal });
      for await (const step of steps) {
        done = step.done;
        setProgress({ done, of: size });
      }
      notify({ intent: 'success', title: say() });
    } catch (error) {
      // The current step was completed, but is not reported any more.
      if (end.signal.aborted)
        notify({ intent: 'success', title: `Stopped at about ${say()}`, body: 'Completed changes are kept.' });
      else notify({ intent: 'error', title: say(), body: problemOf(error).message });
    }
    setProgress(null);
    // A single event stays visible, with the button that reverses the change.
    if (act === 'delete' || (size > 1 && filter.active === (act === 'disable'))) onGone();
  };
  const begin = (act: Act) => {
    if (act === 'delete') setConfirming(true);
    else void perform(act);
  };
  useCommands(
    ACTS.map((act) => ({
      id: `events.${act}`,
      section: 'Events',
      title: `${WORDS[act].verb} the selected events`,
      enabled: active && shown && size > 0 && progress === null,
      run: () => begin(act),
    })),
  );
  if (progress) {
    return (
      <div className={styles.progress} role="status">
        <ProgressBar value={progress.done} max={progress.of} aria-label="Progress" />
        <span>
          {progress.done.toLocaleString('en')} of {progress.of.toLocaleString('en')}
        </span>
        <Button size="small" onClick={() => stop.current?.abort()}>
          Stop
        </Button>
      </div>
    );
  }
  if (!shown) return null;
  return (
    <>
      {ACTS.map((act) => (
        <Button
          key={act}
          size="small"
          title={`${WORDS[act].verb} the selection (${WORDS[act].keys} in the list)`}
          disabledFocusable={size === 0}
          onClick={() => begin(act)}
        >
          {WORDS[act].verb}
        </Button>
      ))}
      {confirming && (
        <ConfirmDialog
          title={size === 1 ? 'Delete the event?' : `Delete ${size.toLocaleString('en')} events?`}
          action="Delete"
          onConfirm={() => {
            setConfirming(false);
            void perform('delete');
          }}
          onClose={() => setConfirming(false)}
        >
          External tools no longer find them. The data rows stay. You can't undo this.
        </ConfirmDialog>
      )}
    </>
  );
}
