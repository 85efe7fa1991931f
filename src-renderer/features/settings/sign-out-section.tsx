import { useEffect, useState } from 'react';
import { useCommands, useWorkbench } from '../../frame/workbench.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Button } from '../../ui/fluent.ts';
import { SignOutRegular } from '../../ui/icons.ts';
import styles from './settings.module.css';

/** Ends the sessions of all browsers; hidden if the instance serves none, as in the desktop window. */
export function SignOutSection({ active, shown }: { active: boolean; shown: boolean }) {
  const { client, transport, notify } = useWorkbench();
  const [served, setServed] = useState(false);
  const [confirming, setConfirming] = useState(false);
  useEffect(() => {
    if (!active) return;
    client.app.info().then(
      ({ ui }) => setServed(ui !== null),
      () => {},
    );
  }, [active, client]);
  useCommands([
    {
      id: 'settings.signOut',
      section: 'Settings',
      title: 'Sign out everywhere',
      enabled: active && served,
      run: () => setConfirming(true),
    },
  ]);
  const signOut = async () => {
    try {
      await client.app.signOut();
    } catch (error) {
      // This signs out this window too, which ends its connection before the response arrives.
      if (transport.state.get().kind !== 'session-ended') {
        notify({ intent: 'error', title: 'Not signed out', error });
        return;
      }
    }
    location.reload();
  };
  if (!served) return null;
  return (
    <>
      {shown && (
        <section className={styles.group} aria-labelledby="settings-sign-out">
          <h2 id="settings-sign-out">Sign out</h2>
          <p className={styles.note}>Ends the sessions of all browsers, including this one, and all unused links.</p>
          <Button size="small" icon={<SignOutRegular />} onClick={() => setConfirming(true)}>
            Sign out everywhere…
          </Button>
        </section>
      )}
      {confirming && (
        <ConfirmDialog
          title="Sign out everywhere"
          action="Sign out"
          onConfirm={signOut}
          onClose={() => setConfirming(false)}
        >
          All browser windows of this workspace are disconnected immediately. Scripts, rules and the events API keep
          running, and drafts are kept. To open the workbench again, run <code>npx tagwright open</code>.
        </ConfirmDialog>
      )}
    </>
  );
}
