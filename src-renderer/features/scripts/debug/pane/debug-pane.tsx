import { useState, type ReactNode } from 'react';
import { Group, Panel, useDefaultLayout } from 'react-resizable-panels';
import { remember, remembered } from '../../../../support/local-storage.ts';
import { useStore } from '../../../../support/store.ts';
import { ChevronDownRegular, ChevronRightRegular, ErrorCircleFilled, PauseRegular } from '../../../../ui/icons.ts';
import { Splitter } from '../../../../ui/split.tsx';
import { useScripts } from '../../scripts-context.ts';
import type { DebugControl } from '../debug-controls.tsx';
import { PendingCall } from './api-call.tsx';
import { BreakpointList } from './breakpoint-list.tsx';
import { CallStack } from './call-stack.tsx';
import { DebugConsole } from './debug-console.tsx';
import { DebugToolbar } from './debug-toolbar.tsx';
import { LiveTags } from './live-tags.tsx';
import { type DebuggerState, shownFrame } from '../model/debugger-state.ts';
import { othersOf, SessionList } from './session-list.tsx';
import { Variables } from './variables.tsx';
import { WatchList } from './watch-list.tsx';
import styles from './debug.module.css';

const PANELS = ['debug-state', 'debug-console'];

interface Props {
  /** Whether the view is visible. */
  active: boolean;
  controls: readonly DebugControl[];
}

/** The debugged run of this window: its controls, its state while it is paused, and its console. */
export function DebugPane({ active, controls }: Props) {
  const { debug } = useScripts();
  const { shown, id } = debug.debugger;
  // While it continues, for a step or longer, the last state stays.
  const hasState = useStore(shown, ({ phase, stops }) => phase === 'paused' || (phase === 'running' && stops > 0));
  const isStale = useStore(shown, ({ phase }) => phase !== 'paused');
  const layout = useDefaultLayout({ id: 'tagwright.debug', panelIds: PANELS, storage: localStorage });
  const others = useStore(debug.sessions.store, ({ sessions }) => othersOf(sessions, id).length);
  return (
    <section className={styles.pane} aria-label="Debugger" data-pane="debug" data-help="debugging">
      <div className={styles.bar}>
        <DebugToolbar controls={controls} />
        <StateLine />
      </div>
      <Reason />
      <PendingCall />
      <Group className={styles.parts} orientation="vertical" {...layout}>
        <Panel id="debug-state" className={styles.sections} minSize={120} data-stale={isStale}>
          <Section name="variables" title="Variables">
            {hasState ? <Variables /> : <Hint>The variables of the selected frame, while the run is paused.</Hint>}
          </Section>
          <Section name="watch" title="Watch">
            <WatchList />
          </Section>
          <Section name="stack" title="Call stack">
            {hasState ? <CallStack /> : <Hint>The functions and scripts that wait for the current line.</Hint>}
          </Section>
          <Section name="tags" title="Tags">
            {hasState ? (
              <LiveTags active={active} />
            ) : (
              <Hint>The values that the script read, and the current values.</Hint>
            )}
          </Section>
          <Section name="breakpoints" title="Breakpoints">
            <BreakpointList />
          </Section>
          {others > 0 && (
            <Section name="sessions" title="Other debugged runs">
              <SessionList />
            </Section>
          )}
        </Panel>
        <Splitter label="Height of the debug console" />
        <Panel id="debug-console" defaultSize="34%" minSize={90}>
          <DebugConsole />
        </Panel>
      </Group>
    </section>
  );
}

const Hint = ({ children }: { children: ReactNode }) => <p className={styles.hint}>{children}</p>;

/** A part that folds; it stays folded. */
function Section({ name, title, children }: { name: string; title: string; children: ReactNode }) {
  const memory = `debug.folded.${name}`;
  const [folded, setFolded] = useState(() => remembered(memory, false));
  const fold = () => {
    remember(memory, !folded);
    setFolded(!folded);
  };
  return (
    <section className={styles.section} aria-label={title} data-folded={folded} data-section={name}>
      <h3>
        <button type="button" aria-expanded={!folded} onClick={fold}>
          {folded ? <ChevronRightRegular aria-hidden /> : <ChevronDownRegular aria-hidden />}
          {title}
        </button>
      </h3>
      {!folded && <div className={styles.content}>{children}</div>}
    </section>
  );
}

const REASONS: Readonly<Record<string, string>> = {
  entry: 'Paused at the first statement',
  breakpoint: 'Paused at a breakpoint',
  step: 'Paused after a step',
  pause: 'Paused',
  exception: 'Paused at an exception',
  'api call': 'Paused before an API call',
};

/** What the run does, in a few words. */
export function phaseText(state: DebuggerState): string {
  switch (state.phase) {
    case 'starting':
      return 'Starting…';
    case 'running':
      return 'Running…';
    case 'paused':
      return REASONS[state.stop?.reason ?? ''] ?? 'Paused';
    case 'ended':
      return 'Ended';
    default:
      return 'Not running';
  }
}

function StateLine() {
  const { debug } = useScripts();
  const state = useStore(debug.debugger.shown);
  const shown = shownFrame(state);
  return (
    <span className={styles.state} role="status" data-phase={state.phase}>
      {state.phase === 'paused' && <PauseRegular aria-hidden />}
      {phaseText(state)}
      {shown && `, line ${shown.frame.line}`}
      {state.debuggee?.dryRun === true && <span className={styles.dry}> dry run</span>}
    </span>
  );
}

/** The exception of a pause. */
function Reason() {
  const { debug } = useScripts();
  const stop = useStore(debug.debugger.shown, (state) => state.stop);
  if (stop?.reason !== 'exception' || stop.text === null) return null;
  return (
    <p className={styles.exception} role="alert">
      <ErrorCircleFilled aria-hidden /> {stop.text}
    </p>
  );
}
