import { Button, ProgressBar } from '@fluentui/react-components';
import { useRef, useState } from 'react';
import { problemOf } from '../../client/errors.ts';
import { useWorkbench } from '../../frame/workbench.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import styles from './events.module.css';

type Act = 'disable' | 'activate' | 'delete';

const WORDS: Readonly<Record<Act, { verb: string; done: string }>> = {
  disable: { verb: 'Disable', done: 'disabled' },
  activate: { verb: 'Re-activate', done: 're-activated' },
  delete: { verb: 'Delete', done: 'deleted' },
};
const AT_ONCE = 16;

/** Disables, re-activates and deletes the events that are chosen, with progress; what is done when it is stopped stays. */
export function BulkActions({ ids }: { ids: readonly number[] }) {
  const { client, notify } = useWorkbench();
  const [progress, setProgress] = useState<{ done: number; of: number } | null>(null);
  const [asking, setAsking] = useState(false);
  const stop = useRef(false);

  const one = async (act: Act, id: number) => {
    if (act === 'delete') await client.events.delete({ id });
    else await client.events.setActive({ id, active: act === 'activate' });
  };
  const perform = async (act: Act) => {
    stop.current = false;
    let done = 0;
    const failures: string[] = [];
    setProgress({ done, of: ids.length });
    for (let at = 0; at < ids.length && !stop.current; at += AT_ONCE) {
      const some = ids.slice(at, at + AT_ONCE);
      const results = await Promise.allSettled(some.map((id) => one(act, id)));
      for (const result of results) {
        if (result.status === 'fulfilled') done += 1;
        else failures.push(problemOf(result.reason).message);
      }
      setProgress({ done: at + some.length, of: ids.length });
    }
    setProgress(null);
    const title = `${done} of ${ids.length} ${WORDS[act].done}`;
    const [first] = failures;
    if (first === undefined) notify({ intent: 'success', title });
    else notify({ intent: 'error', title, body: first });
  };
  if (progress) {
    return (
      <div className={styles.progress} role="status">
        <ProgressBar value={progress.done} max={progress.of} aria-label="Progress" />
        <span>
          {progress.done} of {progress.of}
        </span>
        <Button size="small" onClick={() => (stop.current = true)}>
          Stop
        </Button>
      </div>
    );
  }
  return (
    <>
      {(['disable', 'activate'] as const).map((act) => (
        <Button key={act} size="small" disabledFocusable={ids.length === 0} onClick={() => void perform(act)}>
          {WORDS[act].verb}
        </Button>
      ))}
      <Button size="small" disabledFocusable={ids.length === 0} onClick={() => setAsking(true)}>
        Delete
      </Button>
      {asking && (
        <ConfirmDialog
          title={ids.length === 1 ? 'Delete the event?' : `Delete ${ids.length} events?`}
          action="Delete"
          onConfirm={() => perform('delete')}
          onClose={() => setAsking(false)}
        >
          External tools no longer find them. The data rows stay; the events cannot be brought back.
        </ConfirmDialog>
      )}
    </>
  );
}
