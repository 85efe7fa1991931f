import { useEffect, useState } from 'react';
import type { Client } from '../../client/client.ts';
import { Tooltip } from '../../ui/fluent.ts';
import { GlobeRegular, PauseRegular, PlugDisconnectedRegular } from '../../ui/icons.ts';
import { useWorkbench } from '../workbench.ts';
import styles from '../frame.module.css';

/** The time in which a second click pauses, ms. */
const SECOND_CLICK_MS = 4_000;

type ApiStatus = Awaited<ReturnType<Client['eventsApi']['status']>>;

/** The address of the events API: a click copies it, a second click pauses; a click on a paused one resumes. */
export function EventsApi({ url, problem }: Pick<ApiStatus, 'url' | 'problem'>) {
  const { client, notify } = useWorkbench();
  const [clicked, setClicked] = useState<'copied' | 'not copied' | null>(null);
  useEffect(() => {
    if (clicked === null) return undefined;
    const timer = setTimeout(() => setClicked(null), SECOND_CLICK_MS);
    return () => clearTimeout(timer);
  }, [clicked]);
  const enable = (enabled: boolean) => {
    setClicked(null);
    client.settings.update({ 'events.enabled': enabled }).catch((error: unknown) => {
      const title = enabled ? 'The events API was not resumed' : 'The events API was not paused';
      notify({ intent: 'error', title, error });
    });
  };

  if (url === null && problem !== null) {
    return (
      <Tooltip content={problem} relationship="description">
        <span className={styles.statusItem}>
          <PlugDisconnectedRegular aria-hidden />
          Events API disconnected
        </span>
      </Tooltip>
    );
  }
  if (url === null) {
    return (
      <Tooltip content="External programs get no response. Click to resume." relationship="description">
        <button type="button" className={styles.statusButton} onClick={() => enable(true)}>
          <PauseRegular aria-hidden />
          <span className={styles.statusText}>Events API paused</span>
        </button>
      </Tooltip>
    );
  }
  const address = `${url}/api/events`;
  const hint = { copied: 'Address copied; click again to pause', 'not copied': 'Click again to pause' };
  return (
    <Tooltip
      content="Address of the events API for external programs. Click to copy it, click again to pause the events API."
      relationship="description"
    >
      <button
        type="button"
        className={styles.statusButton}
        onClick={() => {
          if (clicked !== null) return enable(false);
          void copyText(address).then((copied) => setClicked(copied ? 'copied' : 'not copied'));
        }}
      >
        <GlobeRegular aria-hidden />
        <span className={styles.statusText}>{clicked === null ? address.replace('http://', '') : hint[clicked]}</span>
      </button>
    </Tooltip>
  );
}

/** Whether the text was copied: a browser may deny it. */
function copyText(text: string): Promise<boolean> {
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}
