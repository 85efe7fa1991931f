import type { RunContext } from '#domain/run/run';
import { useCommands } from '../../../frame/workbench.ts';
import { useStore } from '../../../support/store.ts';
import type { Doc } from '../model/script-document.ts';
import { useScripts } from '../scripts-context.ts';
import { isActive } from './model/debugger-state.ts';

const SECTION = 'Debug';

/** How a debugged run starts. */
export type DebugStart = 'debug' | 'debug dry run' | 'debug from the first statement';

const STARTS: readonly { how: DebugStart; id: string; title: string; keys: string }[] = [
  { how: 'debug', id: 'debug.start', title: 'Debug the script', keys: 'Alt+F5' },
  { how: 'debug dry run', id: 'debug.startDry', title: 'Debug a dry run (saves nothing)', keys: 'Alt+Shift+F5' },
  {
    how: 'debug from the first statement',
    id: 'debug.startAtEntry',
    title: 'Debug the script from its first statement',
    keys: 'F10',
  },
];

/** Commands that start a debugged run. */
export function useDebugStarts(enabled: boolean, start: (how: DebugStart) => void): void {
  const { debug } = useScripts();
  // During a debugged run, F10 is its next step.
  const isDebugging = useStore(debug.debugger.store, (state) => isActive(state.phase));
  useCommands(
    STARTS.map(({ how, id, title, keys }) => ({
      id,
      section: SECTION,
      title,
      ...((keys !== 'F10' || !isDebugging) && { keys }),
      enabled: enabled && !isDebugging,
      run: () => start(how),
    })),
  );
}

/**
 * Commands that debug the open script with a context, which is null while it is invalid. Returns what they do; null while
 * it is not possible.
 */
export function useDebugCommands(
  doc: Doc,
  context: RunContext | null,
  active: boolean,
): ((how: DebugStart) => void) | null {
  const { debug, live } = useScripts();
  const { debugger: session, pane } = debug;
  const isDebugging = useStore(session.store, (state) => isActive(state.phase));
  const enabled = active && context !== null;
  const start = (how: DebugStart) => {
    if (!context) return;
    live.cancel(doc.editor);
    pane.set('debug');
    const { key, scriptId, text } = doc;
    const debuggee = { key, scriptId, name: text.name, body: text.body, context, dryRun: how === 'debug dry run' };
    void session.start(debuggee, how === 'debug from the first statement');
  };
  useDebugStarts(enabled, start);
  return enabled && !isDebugging ? start : null;
}
