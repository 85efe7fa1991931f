import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { VALUES_LIMITS } from '#domain/run/shown-values';
import { contextOf, type SavedContext, type ScriptContexts } from '#domain/run/saved-context';
import { useCommands, useWorkbench } from '../../../frame/workbench.ts';
import { Button, Tooltip } from '../../../ui/fluent.ts';
import { BeakerRegular, BugRegular, NumberSymbolRegular, PlayFilled, StopFilled } from '../../../ui/icons.ts';
import { useStore } from '../../../support/store.ts';
import { shownContext } from '../model/open-contexts.ts';
import { sampleContext } from '../model/run-context.ts';
import type { Doc } from '../model/script-document.ts';
import type { Ended, RunState, RunOutcome } from '../model/runs.ts';
import { useFileDrop } from '../../../ui/file-drop.ts';
import { useOpenCapsule } from '../capsules/use-open-capsule.ts';
import { useScripts } from '../scripts-context.ts';
import { ContextFields } from './context-fields.tsx';
import { ContextBar } from './context-bar.tsx';
import { LiveSwitch, RerunLine, RerunSwitch } from './live-bar.tsx';
import { isActive } from '../debug/model/debugger-state.ts';
import { type DebugStart, useDebugCommands, useDebugStarts } from '../debug/use-debug-commands.ts';
import { Outcomes, rememberPane, usePaneCommands } from './outcomes.tsx';
import { openPane } from '../../../frame/panes/panes.ts';
import { outcomeText } from './outcome-head.tsx';
import styles from './preview.module.css';
import type { JournalScript } from '#domain/run/journal';
import type { RunContext } from '#domain/run/run';
import { remember } from '../../../support/local-storage.ts';
import { type LiveState, NO_LIVE_RUN, shownRun } from '../model/live.ts';
import { tagsRead } from '../model/reruns.ts';
import type { ReadTags } from '../model/reruns.ts';

/** The section of run commands in the command palette. */
const SECTION = 'Run';
const NEVER_RAN: RunState = { running: null, last: null };

/** The context of a run of the open script, and its results. */
export function Preview({ active }: { active: boolean }) {
  const { model } = useScripts();
  const { pick, drop } = useOpenCapsule();
  const dropping = useFileDrop(drop);
  useCommands([{ id: 'capsule.open', section: SECTION, title: 'Open a capsule…', enabled: active, run: pick }]);
  const doc = useStore(model.store, (state) => (state.active === null ? undefined : state.docs.get(state.active)));
  return (
    <section className={styles.preview} aria-label="Preview" data-pane="preview" data-help="preview" {...dropping}>
      {doc ? (
        <DocPreview key={doc.editor} doc={doc} active={active} />
      ) : (
        <p className={styles.hint}>Open a script to run it here.</p>
      )}
    </section>
  );
}

/** A run that was requested before the context of the script is known. */
type RequestedRun = 'run' | 'dry run' | DebugStart | null;

/** As soon as the last context of the script is known; a run that is requested before starts then. */
function DocPreview({ doc, active }: { doc: Doc; active: boolean }) {
  const { contexts } = useScripts();
  const [requested, setRequested] = useState<RequestedRun>(null);
  const known = useStore(contexts.store, (all) => all.get(doc.editor));
  const { key, editor, scriptId } = doc;
  useEffect(() => {
    void contexts.load({ key, editor, scriptId });
  }, [contexts, key, editor, scriptId]);
  return known ? (
    <KnownPreview doc={doc} known={known} active={active} requested={requested} />
  ) : (
    <RunSoon active={active} onRequest={setRequested} />
  );
}

function RunSoon({ active, onRequest }: { active: boolean; onRequest: (requested: RequestedRun) => void }) {
  useRunCommands(active, (dryRun) => onRequest(dryRun ? 'dry run' : 'run'));
  useDebugStarts(active, onRequest);
  usePaneCommands(active, rememberPane);
  return null;
}

function useRunCommands(enabled: boolean, run: (dryRun: boolean) => void | Promise<void>): void {
  const { debug } = useScripts();
  // While a run is debugged, F5 continues it and Shift+F5 stops it, as in VS Code.
  const isDebugging = useStore(debug.debugger.store, (state) => isActive(state.phase));
  const show = (dryRun: boolean) => {
    debug.pane.set('preview');
    return run(dryRun);
  };
  useCommands([
    {
      id: 'run.run',
      section: SECTION,
      title: 'Run the script',
      ...(!isDebugging && { keys: 'F5' }),
      enabled,
      run: () => show(false),
    },
    {
      id: 'run.dry',
      section: SECTION,
      title: 'Dry run (saves nothing)',
      ...(!isDebugging && { keys: 'Shift+F5' }),
      enabled,
      run: () => show(true),
    },
  ]);
}

interface KnownProps {
  doc: Doc;
  known: ScriptContexts;
  active: boolean;
  requested: RequestedRun;
}

function KnownPreview({ doc, known, active, requested }: KnownProps) {
  const { runs, live, contexts } = useScripts();
  const state = useStore(runs.store, (all) => all.get(doc.editor) ?? NEVER_RAN);
  // Workspaces from before contexts had names have none for the scripts of the sample.
  const shown = shownContext(known, doc.saved && sampleContext(doc.saved.group, doc.saved.name));
  const { context: form } = shown;
  const setForm = (typed: SavedContext) => contexts.type(doc, typed, shown.chosen);
  const context = contextOf(form);
  const { running } = state;
  const { on: liveOn, turn: turnLive, state: liveState } = useLive(doc, context);

  const { on: rerunOn, turn: turnRerun, scopes } = useReruns(doc, context, shownRun(state, liveState), active);

  const sayHidden = useHiddenOutcome();
  const run = async (dryRun: boolean) => {
    if (!context || running) return;
    live.cancel(doc.editor);
    void contexts.use(doc, shown);
    await runs.run(doc.editor, doc.text.body, context, dryRun, savedScript(doc));
    live.show(doc.editor, false);
    sayHidden(doc.text.name, runs.of(doc.editor).last?.outcome);
  };
  const stop = () => runs.stop(doc.editor);
  const showValues = useShowValues(doc, context, running !== null, () => void contexts.use(doc, shown));
  const debugRun = useDebugCommands(doc, context, active);
  const first = useRef(requested);
  useEffect(() => {
    const now = first.current;
    first.current = null;
    if (now === 'run' || now === 'dry run') void run(now === 'dry run');
    else if (now !== null) debugRun?.(now);
  });
  useRunCommands(active && context !== null && running === null, run);
  useCommands([
    {
      id: 'run.stop',
      section: SECTION,
      title: 'Stop the run',
      keys: 'Ctrl+F5',
      enabled: active && running !== null,
      run: stop,
    },
    {
      id: 'run.values',
      section: SECTION,
      title: 'Show values of a dry run in the text',
      keys: 'Alt+V',
      enabled: active && showValues !== null,
      run: () => showValues?.(),
    },
    {
      id: 'run.live',
      section: SECTION,
      title: liveOn ? 'Turn off live runs' : 'Turn on live runs',
      keys: 'Alt+L',
      enabled: active,
      run: () => turnLive(!liveOn),
    },
    {
      id: 'run.rerun',
      section: SECTION,
      title: rerunOn ? 'Do not rerun when a tag changes' : 'Rerun when a tag changes (dry run)',
      keys: 'Alt+R',
      enabled: active,
      run: () => turnRerun(!rerunOn),
    },
  ]);

  return (
    <>
      <ContextFields
        bar={<ContextBar doc={doc} known={known} shown={shown} active={active} />}
        form={form}
        onChange={setForm}
      />
      <div className={styles.actions}>
        <Tooltip content="Run the text in the editor, saved or not; writes are saved" relationship="description">
          <Button
            size="small"
            appearance="primary"
            icon={<PlayFilled />}
            disabledFocusable={!context || running !== null}
            aria-keyshortcuts="F5"
            onClick={() => void run(false)}
          >
            Run <span className={styles.keys}>F5</span>
          </Button>
        </Tooltip>
        <Tooltip content="Run without saving anything: reads see the run's own writes" relationship="description">
          <Button
            size="small"
            icon={<BeakerRegular />}
            disabledFocusable={!context || running !== null}
            aria-keyshortcuts="Shift+F5"
            onClick={() => void run(true)}
          >
            Dry run <span className={styles.keys}>⇧F5</span>
          </Button>
        </Tooltip>
        <Button
          size="small"
          icon={<BugRegular />}
          disabledFocusable={debugRun === null}
          aria-keyshortcuts="Alt+F5"
          aria-label="Debug"
          title="Debug the script: pause at breakpoints and exceptions (Alt+F5)"
          onClick={() => debugRun?.('debug')}
        />
        <Button
          size="small"
          icon={<NumberSymbolRegular />}
          disabledFocusable={showValues === null}
          aria-keyshortcuts="Alt+V"
          aria-label="Show values"
          title="Show what each variable becomes, in a dry run (Alt+V)"
          onClick={() => showValues?.()}
        />
        <Button
          size="small"
          icon={<StopFilled />}
          disabledFocusable={running === null}
          aria-keyshortcuts="Control+F5"
          aria-label="Stop"
          title="Stop the run (Ctrl+F5)"
          onClick={stop}
        >
          <span className={styles.stopText}>Stop</span>
        </Button>
        <LiveSwitch on={liveOn} onTurn={turnLive} />
      </div>
      <div className={styles.rerunRow}>
        <RerunSwitch on={rerunOn} onTurn={turnRerun} />
        {rerunOn && <RerunLine scopes={scopes} />}
      </div>
      <Outcomes
        doc={doc}
        state={state}
        live={liveState}
        context={context}
        diagram={form.diagram.trim()}
        location={form.location.trim()}
        active={active}
      />
    </>
  );
}

/**
 * *Show values*: a dry run that notes its values, or closes them if they belong to the current text. Null while it is not
 * possible.
 */
function useShowValues(
  { editor: key, text: { body } }: Doc,
  context: RunContext | null,
  isRunning: boolean,
  used: () => void,
): (() => void) | null {
  const { notify } = useWorkbench();
  const { runs, live, debug } = useScripts();
  if (!context || isRunning) return null;
  const run = async () => {
    const shown = runs.of(key).last;
    if (shown?.values && shown.body === body) return runs.hideValues(key);
    live.cancel(key);
    used();
    await runs.runWithValues(key, body, context);
    live.show(key, false);
    debug.pane.set('preview');
    if (!runs.of(key).last?.values?.stopped) return;
    const most = VALUES_LIMITS.executed.toLocaleString('en');
    notify({
      intent: 'warning',
      title: `The run was stopped after ${most} statements`,
      body: 'Its values until then are shown.',
    });
  };
  return () => void run();
}

/** The saved script whose body the text is. */
function savedScript({ saved, text }: Doc): JournalScript | undefined {
  return saved?.body === text.body ? { name: `${saved.group}/${saved.name}`, version: saved.version } : undefined;
}

/** The live runs of an open script; `context` is null while the typed one is invalid. */
function useLive(
  { editor: key, text: { body } }: Doc,
  context: RunContext | null,
): { on: boolean; turn: (on: boolean) => void; state: LiveState } {
  const { live, liveOn } = useScripts();
  const on = useStore(liveOn);
  const state = useStore(live.store, (all) => all.get(key) ?? NO_LIVE_RUN);
  const contextText = JSON.stringify(context);
  // The initial text is not run before the first change.
  const known = useRef({ body, contextText });

  useEffect(() => {
    const { current } = known;
    if (current.body === body && current.contextText === contextText) return;
    known.current = { body, contextText };
    const given: RunContext | null = JSON.parse(contextText);
    if (!on || !given) live.cancel(key);
    else if (body.trim() === '') live.forget(key);
    else live.soon(key, { body, context: given });
  }, [live, key, body, contextText, on]);

  const turn = (next: boolean) => {
    remember('preview.live', next);
    liveOn.set(next);
    if (!next) live.forget(key);
    else if (context && body.trim() !== '') live.soon(key, { body, context });
  };
  return { on, turn, state };
}

/** Dry runs of an open script when a tag changes that its last run read; paused while its preview is hidden. */
function useReruns(
  { editor: key, text: { body } }: Doc,
  context: RunContext | null,
  last: Ended | null,
  active: boolean,
): { on: boolean; turn: (on: boolean) => void; scopes: readonly ReadTags[] } {
  const { live, runs, reruns } = useScripts();
  const on = useStore(reruns.on, (all) => all.has(key));
  const report = last?.outcome.kind === 'report' ? last.outcome.report : null;
  const read = JSON.stringify(report ? tagsRead(report) : []);
  const scopes = useMemo((): ReadTags[] => JSON.parse(read), [read]);
  // What a rerun runs: the text and the context when it starts.
  const latest = useRef({ body, context });
  useEffect(() => {
    latest.current = { body, context };
  });
  const start = useCallback(async (): Promise<boolean> => {
    const { body: now, context: given } = latest.current;
    if (!given || now.trim() === '') return true;
    if (runs.of(key).running) return false;
    return live.rerun(key, { body: now, context: given });
  }, [live, runs, key]);
  useEffect(() => {
    if (!on || !active || scopes.length === 0) return undefined;
    const end = new AbortController();
    reruns.follow(scopes, start, end.signal);
    return () => end.abort();
  }, [reruns, start, on, active, scopes]);
  const turn = (next: boolean) => {
    reruns.turn(key, next);
    if (!next) live.cancel(key);
    // The first run shows which tags it reads.
    else if (!report) void start();
  };
  return { on, turn, scopes };
}

/** Returns a function that says how a run ended while the preview is collapsed. */
function useHiddenOutcome(): (script: string, outcome: RunOutcome | undefined) => void {
  const { notify } = useWorkbench();
  return (script, outcome) => {
    const isSeen = document.querySelector('[data-pane="preview"]')?.checkVisibility() === true;
    if (isSeen || !outcome) return;
    const { text, reason } = outcomeText(outcome);
    const name = script === '' ? 'The script' : `“${script}”`;
    notify({
      intent: reason === null ? 'success' : 'error',
      title: `${name}: ${text}`,
      ...(reason !== null && { body: reason }),
      action: { label: 'Show the preview', run: () => void openPane('preview') },
    });
  };
}
