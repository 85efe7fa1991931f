import { useEffect } from 'react';
import { useWorkbench } from '../../../frame/workbench.ts';
import { useStore } from '../../../support/store.ts';
import { keyOfScript } from '../model/script-document.ts';
import { useScripts } from '../scripts-context.ts';
import { shownFrame, type DebuggerState } from './model/debugger-state.ts';

/**
 * Follows the debugged run of this window: opens the text of the selected frame, shows the debugger at a pause, and its
 * state in the status bar. Attaches again after a reload. A component, because each stop renders it.
 */
export function FollowDebuggedRun(): null {
  const { activity, show, notify } = useWorkbench();
  const { debug, model } = useScripts();
  const { breakpoints, debugger: session, sessions, source } = debug;
  const isReady = useStore(model.store, (state) => state.phase === 'ready');
  const workspace = useStore(model.store, (state) => state.workspace);
  const status = useStore(session.shown, statusOf);
  const phase = useStore(session.shown, (state) => state.phase);
  const stops = useStore(session.shown, (state) => state.stops);
  const frame = useStore(session.shown, (state) => state.frame);

  useEffect(() => {
    if (!isReady) return undefined;
    breakpoints.load(workspace);
    void session.reattach();
    return undefined;
  }, [isReady, workspace, breakpoints, session]);

  useEffect(() => {
    const end = new AbortController();
    void sessions.follow(end.signal);
    return () => end.abort();
  }, [sessions]);

  useEffect(() => {
    activity.set(
      status === null
        ? null
        : {
            text: status,
            title: 'Show the debugged script',
            run: () => {
              show('scripts');
              debug.pane.set('debug');
            },
          },
    );
    return () => activity.set(null);
  }, [activity, show, debug, status]);

  useEffect(() => {
    if (phase === 'paused') debug.pane.set('debug');
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- also at the next stop
  }, [debug, phase, stops]);

  useEffect(() => {
    const shown = shownFrame(session.shown.get());
    if (!shown) {
      // A step usually stays in the same text.
      if (phase !== 'running') source.set(null);
      return undefined;
    }
    const { key, frame: selected } = shown;
    const { docs, scripts, active } = model.store.get();
    const saved = scripts.find(({ id }) => keyOfScript(id) === key);
    if (key !== null && (docs.has(key) || saved)) {
      source.set(null);
      if (key === active) return undefined;
      const opening = docs.has(key) ? Promise.resolve(model.activate(key)) : model.open(saved?.id ?? 0);
      opening.catch((error: unknown) => notify({ intent: 'error', title: 'The script was not opened', error }));
      return undefined;
    }
    let isCurrent = true;
    const from = selected.source ?? {};
    session.ask('source', { source: from, sourceReference: from.sourceReference ?? 0 }).then(
      ({ content }) =>
        isCurrent && source.set({ name: from.name ?? selected.name, text: content, line: selected.line }),
      () => isCurrent && source.set(null),
    );
    return () => {
      isCurrent = false;
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the frame of each stop is another one
  }, [session, model, source, notify, phase, frame, stops]);

  return null;
}

/** Restarts the debugged run of this window with the text in the editor. */
export function useRestart(): () => void {
  const { debug, model } = useScripts();
  const { debugger: session } = debug;
  return () => {
    const { debuggee } = session.store.get();
    if (!debuggee) return;
    const doc = model.doc(debuggee.key);
    void session.restart({ ...debuggee, body: doc?.text.body ?? debuggee.body });
  };
}

/** A debugged run in the status bar; null if there is none. */
function statusOf(state: DebuggerState): string | null {
  const name = state.debuggee?.name ?? '';
  const script = name === '' ? 'the script' : name;
  switch (state.phase) {
    case 'starting':
    case 'running':
      return `Debugging ${script}`;
    case 'paused':
      return `Paused in ${script}`;
    default:
      return null;
  }
}
