import { createContext, useContext } from 'react';
import { Store } from '../../support/store.ts';
import type { Library } from './model/library.ts';
import type { LiveRuns } from './model/live.ts';
import type { RunContexts } from './model/run-contexts.ts';
import type { Runs } from './model/runs.ts';
import type { ScriptsModel } from './model/scripts-model.ts';

/** What the other panes may ask of the editor. */
export interface EditorHandle {
  focus(): void;
  /**
   * Shows a place and puts the cursor there; lines and columns count from 1. In the active script, or in that of `key`
   * (the `editor` of its doc) as soon as it is shown.
   */
  goTo(line: number, column: number, key?: string): void;
}

/** What the panes of the view share. */
export interface Scripts {
  model: ScriptsModel;
  library: Library;
  runs: Runs;
  live: LiveRuns;
  contexts: RunContexts;
  /** Whether a text is dry-run while it is typed. */
  liveOn: Store<boolean>;
  /** The editor, once it is there. */
  editor: Store<EditorHandle | null>;
}

export const ScriptsContext = createContext<Scripts | null>(null);

export function useScripts(): Scripts {
  const scripts = useContext(ScriptsContext);
  if (!scripts) throw new Error('useScripts is used outside of the view Scripts');
  return scripts;
}
