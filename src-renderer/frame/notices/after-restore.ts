import { useEffect } from 'react';
import type { Client } from '../../client/client.ts';
import type { Notice } from '../workbench.ts';

const KEY = 'tagwright.reopened';

/** Reloads the page because main has reopened the workspace; the new page reports the outcome. */
export function reloadPage(): void {
  try {
    sessionStorage.setItem(KEY, '');
  } catch {
    // Access to storage can be denied: then the page shows the workspace without a message.
  }
  location.reload();
}

/** Reports the outcome of a restore after the page was reloaded. */
export function useRestoreNotice(client: Client, notify: (notice: Notice) => void): void {
  useEffect(() => {
    if (!wasReloaded()) return;
    client.app.info().then(
      ({ restored }) => {
        // Not earlier: a page that is reloaded again before the outcome is known would not report it.
        forgetReload();
        if (!restored) return;
        const { backup, kept, problem } = restored;
        if (problem !== null) {
          const body = `${problem} The workspace is unchanged.`;
          notify({ intent: 'error', title: 'The backup was not restored', body });
        } else {
          const body = `The workspace was replaced by ${backup}.${kept === null ? '' : ` The replaced workspace is kept: ${kept}`}`;
          notify({ intent: 'success', title: 'Backup restored', body });
        }
      },
      () => {},
    );
  }, [client, notify]);
}

function wasReloaded(): boolean {
  try {
    return sessionStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

function forgetReload(): void {
  sessionStorage.removeItem(KEY);
}
