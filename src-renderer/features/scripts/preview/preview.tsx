import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { contextOf, type SavedContext, type ScriptContexts } from '#domain/run/saved-context';
import { useCommands } from '../../../frame/workbench.ts';
import { Button, Tooltip } from '../../../ui/fluent.ts';
import { BeakerRegular, PlayFilled, StopFilled } from '../../../ui/icons.ts';
import { useStore } from '../../../support/store.ts';
import { shownContext } from '../model/open-contexts.ts';
import { sampleContext } from '../model/run-context.ts';
import type { Doc } from '../model/script-document.ts';
import type { Ended, RunState } from '../model/runs.ts';
import { useScripts } from '../scripts-context.ts';
import { ContextFields } from './context-fields.tsx';
import { ContextBar } from './context-bar.tsx';
import { LiveSwitch, RerunLine, RerunSwitch } from './live-bar.tsx';
import { Outcomes } from './outcomes.tsx';
import { useHiddenOutcome } from './use-hidden-outcome.ts';
import styles from './preview.module.css';
import type { RunContext } from '#domain/run/run';
import { remember } from '../../../support/local-storage.ts';
import { type LiveState, NO_LIVE_RUN, shownRun } from '../model/live.ts';
import { tagsRead } from '../model/reruns.ts';
import type { ReadTags } from '../model/reruns.ts';

/** Of the commands of runs. */
const SECTION = 'Run';
const NEVER_RAN: RunState = { running: null, last: null };

/** The context of a run of the open script, and its results. */
export function Preview({ active }: { active: boolean }) {
  const { model } = useScripts();
  const doc = useStore(model.store, (state) => (state.active === null ? undefined : state.docs.get(state.active)));
  return (
    <section className={styles.preview} aria-label="Preview" data-pane="preview" data-help="preview">
      {doc ? (
        <DocPreview key={doc.editor} doc={doc} active={active} />
      ) : (
        <p className={styles.hint}>Open a script to run it here.</p>
      )}
    </section>
  );
}

/** A run that was requested before the context of the script is known. */
type RequestedRun = 'run' | 'dry run' | null;

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
  return null;
}

function useRunCommands(enabled: boolean, run: (dryRun: boolean) => void | Promise<void>): void {
  useCommands([
    { id: 'run.run', section: SECTION, title: 'Run the script', keys: 'F5', enabled, run: () => run(false) },
    {
      id: 'run.dry',
      section: SECTION,
      title: 'Dry run (saves nothing)',
      keys: 'Shift+F5',
      enabled,
      run: () => run(true),
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
    await runs.run(doc.editor, doc.text.body, context, dryRun);
    live.show(doc.editor, false);
    sayHidden(doc.text.name, runs.of(doc.editor).last?.outcome);
  };
  const stop = () => runs.stop(doc.editor);
  const first = useRef(requested);
  useEffect(() => {
    const now = first.current;
    first.current = null;
    if (now !== null) void run(now === 'dry run');
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
        docKey={doc.editor}
        state={state}
        live={liveState}
        scriptId={doc.scriptId}
        body={doc.text.body}
        context={context}
        diagram={form.diagram.trim()}
        location={form.location.trim()}
        active={active}
      />
    </>
  );
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
