import { useEffect } from 'react';
import type { Client } from '../../client/client.ts';
import type { Notice } from '../workbench.ts';

const KEY = 'tagwright.reopened';

/** Loads the page anew because main has opened the workspace anew; what it shows then says how that went. */
export function loadAnew(): void {
  try {
    sessionStorage.setItem(KEY, '');
  } catch {
    // A storage that is forbidden: the page shows the workspace and says nothing.
  }
  location.reload();
}

/** Says, in a page that was loaded anew, how the restore went. */
export function useRestoreNotice(client: Client, notify: (notice: Notice) => void): void {
  useEffect(() => {
    if (!wasLoadedAnew()) return;
    client.app.info().then(
      ({ restored }) => {
        if (!restored) return;
        const { backup, kept, problem } = restored;
        if (problem !== null) {
          const body = `${problem} The workspace is as it was.`;
          notify({ intent: 'error', title: 'The backup was not restored', body });
        } else {
          const body = `${backup} is the workspace now.${kept === null ? '' : ` What it replaced is kept: ${kept}`}`;
          notify({ intent: 'success', title: 'The backup is restored', body });
        }
      },
      () => {},
    );
  }, [client, notify]);
}

function wasLoadedAnew(): boolean {
  try {
    const marked = sessionStorage.getItem(KEY) !== null;
    sessionStorage.removeItem(KEY);
    return marked;
  } catch {
    return false;
  }
}
