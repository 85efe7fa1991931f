import { useEffect, useState } from 'react';
import { stayCurrent } from '../../client/stay-current.ts';
import { Button, MessageBar, MessageBarActions, MessageBarBody, MessageBarTitle } from '../../ui/fluent.ts';
import { useWorkbench } from '../workbench.ts';

/** Says that runs of the plant pause at breakpoints, and how many do, because they wait for a person. */
export function BreakInAllBanner() {
  const { client, notify, show } = useWorkbench();
  const [paused, setPaused] = useState<number | null>(null);
  useEffect(() => {
    const end = new AbortController();
    void stayCurrent(
      {
        changes: [(signal) => client.debug.changes(undefined, { signal })],
        read: async (signal) => {
          const [{ on }, sessions] = await Promise.all([
            client.debug.breaksInAll(undefined, { signal }),
            client.debug.sessions(undefined, { signal }),
          ]);
          setPaused(on ? sessions.filter((one) => one.breakInAll && one.state === 'paused').length : null);
        },
      },
      end.signal,
    );
    return () => end.abort();
  }, [client]);

  if (paused === null) return null;
  const turnOff = () => {
    client.debug.breakInAll({ on: false, scripts: [] }).catch((error: unknown) => {
      notify({ intent: 'error', title: '“Break in all runs” was not turned off', error });
    });
  };
  return (
    <section aria-label="Break in all runs">
      <MessageBar intent="warning">
        <MessageBarBody>
          <MessageBarTitle>Break in all runs is on</MessageBarTitle>
          Runs started by a Diagram, a rule or a test also pause at breakpoints.{' '}
          {paused > 0 && `${paused} ${paused === 1 ? 'run waits' : 'runs wait'} for you.`}
        </MessageBarBody>
        <MessageBarActions>
          {paused > 0 && (
            <Button size="small" onClick={() => show('scripts')}>
              Show scripts
            </Button>
          )}
          <Button size="small" onClick={turnOff}>
            Turn off
          </Button>
        </MessageBarActions>
      </MessageBar>
    </section>
  );
}
