import type { Client } from '../../../client/client.ts';
import type { Notice } from '../../../frame/workbench.ts';
import { Store } from '../../../support/store.ts';
import type { Memory } from '../model/scripts-state.ts';
import { Breakpoints } from './model/breakpoints.ts';
import { ContractDebugClient } from './model/contract-debug-client.ts';
import { DebugSessions } from './model/debug-sessions.ts';
import { type Reported, RunDebugger } from './model/debugger.ts';
import { Watches } from './model/watches.ts';

/** What the panes of the view share about debugging. */
export interface DebugParts {
  breakpoints: Breakpoints;
  debugger: RunDebugger;
  sessions: DebugSessions;
  watches: Watches;
  /** Which of the two the pane on the right shows, once there was a debugged run. */
  pane: Store<'preview' | 'debug'>;
  /** The line whose breakpoint is being edited. */
  editing: Store<{ key: string; line: number } | null>;
  /** The text of the selected frame, if no tab has it. */
  source: Store<{ name: string; text: string; line: number } | null>;
}

interface Needs {
  client: Pick<Client, 'debug'>;
  memory: { ofWindow: Memory; browser: Memory };
  notify: (notice: Notice) => void;
  reported: Reported;
}

export function debugParts({ client, memory, notify, reported }: Needs): DebugParts {
  const breakpoints = new Breakpoints(memory.browser);
  return {
    breakpoints,
    debugger: new RunDebugger({
      client: new ContractDebugClient(client),
      breakpoints,
      memory,
      failed: (title, error) => notify({ intent: 'error', title, error }),
      reported,
    }),
    sessions: new DebugSessions(client, breakpoints),
    watches: new Watches(memory.browser),
    pane: new Store<'preview' | 'debug'>('preview'),
    editing: new Store<{ key: string; line: number } | null>(null),
    source: new Store<{ name: string; text: string; line: number } | null>(null),
  };
}

/** Debugs what a tag reads, from its first statement; ignored while another run is debugged. */
export function debugTag({ debugger: session, pane }: DebugParts, path: string): void {
  pane.set('debug');
  const context = { tagName: path, tagScopeDiagram: null, tagScopeLocation: null };
  const debuggee = { key: `tag:${path}`, scriptId: null, name: path, body: '', context, dryRun: true };
  void session.start({ ...debuggee, runs: { tag: path } }, true);
}
