import { createContext, useContext } from 'react';
import { Store } from '../../support/store.ts';
import type { Library } from './model/library.ts';
import type { LiveRuns } from './model/live.ts';
import type { OpenContexts } from './model/open-contexts.ts';
import type { Runs } from './model/runs.ts';
import type { ScriptsModel } from './model/scripts-model.ts';

/** The actions of the editor for other panes. */
export interface EditorHandle {
  focus(): void;
  /**
   * Shows a position and moves the cursor there; lines and columns count from 1. In the active script, or in that of
   * `key` (the `editor` of its doc) as soon as it is shown.
   */
  goTo(line: number, column: number, key?: string): void;
}

/** The shared context of the panes of the view. */
export interface Scripts {
  model: ScriptsModel;
  library: Library;
  runs: Runs;
  live: LiveRuns;
  contexts: OpenContexts;
  /** Whether live runs are on. */
  liveOn: Store<boolean>;
  /** The editor, once it is loaded. */
  editor: Store<EditorHandle | null>;
}

export const ScriptsContext = createContext<Scripts | null>(null);

export function useScripts(): Scripts {
  const scripts = useContext(ScriptsContext);
  if (!scripts) throw new Error('useScripts is used outside the view Scripts');
  return scripts;
}
