import { useEffect, useRef, useState } from 'react';
import { type Notice, useCommands, useWorkbench } from '../../frame/workbench.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Button, ProgressBar } from '../../ui/fluent.ts';
import type { EventsFilter } from './model/event-feed.ts';
import type { EventSelection } from './model/selection.ts';
import { sizeOf } from './model/selection.ts';
import styles from './events.module.css';

type Act = 'disable' | 'activate' | 'delete';

const ACTS: readonly Act[] = ['disable', 'activate', 'delete'];

/** More events are re-activated only after a confirmation. Disabling needs none: Undo restores all of it. */
const MOST_UNCONFIRMED = 20;

/** `keys` are those of the list; `meaning` is for the confirmation. */
const WORDS: Readonly<Record<Act, { verb: string; done: string; keys: string; meaning: string }>> = {
  disable: { verb: 'Disable', done: 'disabled', keys: 'D', meaning: '' },
  activate: {
    verb: 'Re-activate',
    done: 're-activated',
    keys: 'R',
    meaning: 'External tools find them again, and may process them before you undo this.',
  },
  delete: {
    verb: 'Delete',
    done: 'deleted',
    keys: 'Delete',
    meaning: "External tools no longer find them. The data rows stay. You can't undo this.",
  },
};

const count = (number: number): string => number.toLocaleString('en');

interface Props {
  active: boolean;
  /** Whether the list with the selection is visible. Progress is shown in any case. */
  shown: boolean;
  filter: EventsFilter;
  selection: EventSelection;
  /** The selected events are no longer in the list. */
  onGone: () => void;
}

/** Disables, re-activates and deletes the selected events, with progress; completed steps stay when it is stopped. */
export function BulkActions({ active, shown, filter, selection, onGone }: Props) {
  const { client, notify } = useWorkbench();
  const [progress, setProgress] = useState<{ done: number; of: number } | null>(null);
  const [confirming, setConfirming] = useState<Act | null>(null);
  const stop = useRef<AbortController | null>(null);
  const running = useRef<Promise<void> | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const size = sizeOf(selection);

  /** Shows the progress of the steps to their end; they can be stopped. One after another. */
  const follow = async (of: number, work: (signal: AbortSignal, at: (done: number) => void) => Promise<void>) => {
    const end = new AbortController();
    const former = running.current;
    const run = async () => {
      await former;
      stop.current = end;
      setProgress({ done: 0, of });
      await work(end.signal, (done) => setProgress({ done, of }));
      setProgress(null);
    };
    running.current = run();
    await running.current;
  };
  const perform = (act: Act) =>
    follow(size, async (signal, at) => {
      const { range, except, ids } = selection;
      const key = crypto.randomUUID();
      let done = 0;
      let changed: number | null = null;
      const doneText = () => `${count(done)} of ${count(size)} ${WORDS[act].done}`;
      const inform = (notice: Notice) => {
        const isUndoable = act !== 'delete' && changed !== 0;
        notify(
          isUndoable ? { ...notice, action: { label: 'Undo', run: () => undo(act, key, changed ?? size) } } : notice,
        );
      };
      try {
        const chosen = range && { first: range.first, last: range.last, except: [...except] };
        const steps = await client.events.bulk({ ...filter, act, key, range: chosen, ids: [...ids] }, { signal });
        for await (const step of steps) {
          done = step.done;
          if (step.finished) ({ changed } = step);
          at(done);
        }
        inform({ intent: 'success', title: doneText() });
      } catch (error) {
        // The current step was completed, but is no longer reported.
        if (signal.aborted)
          inform({ intent: 'success', title: `Stopped at about ${doneText()}`, body: 'Completed changes are kept.' });
        else inform({ intent: 'error', title: doneText(), error });
      }
      // A single event stays visible, with the button that reverses the change.
      if (act === 'delete' || (size > 1 && filter.active === (act === 'disable'))) onGone();
    });
  const undo = (act: 'disable' | 'activate', key: string, expected: number) =>
    follow(expected, async (signal, at) => {
      const { done: word } = WORDS[act === 'disable' ? 'activate' : 'disable'];
      const again = { label: 'Undo the rest', run: () => undo(act, key, expected) };
      try {
        for await (const { changed, of, done, finished } of await client.events.undo({ key }, { signal })) {
          at(done);
          if (!finished) continue;
          const kept = of - changed;
          notify({
            intent: 'success',
            title: `Undone: ${count(changed)} of ${count(of)} ${word}`,
            ...(kept > 0 && {
              body:
                kept === 1
                  ? '1 event was not changed: it was set or deleted since.'
                  : `${count(kept)} events were not changed: they were set or deleted since.`,
            }),
          });
        }
      } catch (error) {
        if (signal.aborted)
          notify({
            intent: 'info',
            title: 'Stopped',
            body: 'Events that are already restored stay restored.',
            action: again,
          });
        else notify({ intent: 'error', title: 'Undo failed', error });
      }
    });
  const begin = (act: Act) => {
    if (act === 'delete' || (act === 'activate' && size > MOST_UNCONFIRMED)) setConfirming(act);
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
          {count(progress.done)} of {count(progress.of)}
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
      {confirming !== null && (
        <ConfirmDialog
          title={
            size === 1 ? `${WORDS[confirming].verb} the event?` : `${WORDS[confirming].verb} ${count(size)} events?`
          }
          action={WORDS[confirming].verb}
          onConfirm={() => {
            setConfirming(null);
            void perform(confirming);
          }}
          onClose={() => setConfirming(null)}
        >
          {WORDS[confirming].meaning}
        </ConfirmDialog>
      )}
    </>
  );
}
