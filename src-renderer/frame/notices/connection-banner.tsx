import { useEffect, useState } from 'react';
import type { ConnectionState } from '../../transport/transport.ts';
import { useStore } from '../../support/store.ts';
import { Button, MessageBar, MessageBarActions, MessageBarBody, MessageBarTitle } from '../../ui/fluent.ts';
import { useWorkbench } from '../workbench.ts';

const PATIENCE_MS = 600;

/** Shows that main is disconnected, the effects of that, and the time of the next attempt. */
export function ConnectionBanner() {
  const { transport } = useWorkbench();
  const state = useStore(transport.state);
  return state.kind === 'lost' || state.kind === 'session-ended' ? <NoConnection state={state} /> : null;
}

function NoConnection({ state }: { state: Extract<ConnectionState, { kind: 'lost' | 'session-ended' }> }) {
  const { transport } = useWorkbench();
  const reconnect = () => transport.reconnect();
  // A short interruption ends before anyone could read the message: nothing is shown at first.
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), PATIENCE_MS);
    return () => clearInterval(timer);
  }, []);

  if (now === null) return null;
  if (state.kind === 'session-ended') {
    return (
      <MessageBar intent="warning" layout="multiline" role="alert">
        <MessageBarBody>
          <MessageBarTitle>This window&apos;s session has ended</MessageBarTitle>
          Tagwright was restarted, or this browser was signed out. Run <code>npx tagwright open</code> and open the link
          in this browser; your drafts will be restored.
        </MessageBarBody>
        <MessageBarActions>
          <Button size="small" onClick={reconnect}>
            Try again
          </Button>
        </MessageBarActions>
      </MessageBar>
    );
  }
  const seconds = state.nextTryAt === null ? 0 : Math.max(0, Math.ceil((state.nextTryAt - now) / 1_000));
  return (
    <MessageBar intent="warning" role="alert">
      <MessageBarBody>
        <MessageBarTitle>Connection to Tagwright lost</MessageBarTitle>
        You can keep working: changes are kept in this window and stored when the connection is back.{' '}
        <span aria-hidden="true">{seconds > 0 ? `Retrying in ${seconds} s.` : 'Retrying…'}</span>
      </MessageBarBody>
      <MessageBarActions>
        <Button size="small" onClick={reconnect}>
          Retry now
        </Button>
      </MessageBarActions>
    </MessageBar>
  );
}
