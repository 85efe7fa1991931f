import { useEffect, useRef } from 'react';
import { EMPTY_CONTEXT, type SavedContext, type ScriptContexts } from '#domain/run/saved-context';
import { useCommands } from '../../../frame/workbench.ts';
import { Button, Tooltip } from '../../../ui/fluent.ts';
import { BeakerRegular, PlayFilled, StopFilled } from '../../../ui/icons.ts';
import { useStore } from '../../../support/store.ts';
import { contextOf } from '../model/run-context.ts';
import type { Doc } from '../model/script-document.ts';
import type { RunState } from '../model/runs.ts';
import { useScripts } from '../scripts-context.ts';
import { ContextFields } from './context-fields.tsx';
import { ContextMenu } from './context-menu.tsx';
import { LiveSwitch } from './live-bar.tsx';
import { Outcomes } from './outcomes.tsx';
import styles from './preview.module.css';
import type { RunContext } from '#domain/run/run';
import { remember } from '../../../support/local-storage.ts';
import { type LiveState, NO_LIVE_RUN } from '../model/live.ts';

const NEVER_RAN: RunState = { running: null, last: null };

/** The context of a run of the open script, and its results. */
export function Preview({ active }: { active: boolean }) {
  const { model } = useScripts();
  const doc = useStore(model.store, (state) => (state.active === null ? undefined : state.docs.get(state.active)));
  return (
    <section className={styles.preview} aria-label="Preview" data-pane="preview">
      {doc ? (
        <DocPreview key={doc.editor} doc={doc} active={active} />
      ) : (
        <p className={styles.hint}>Open a script to run it here.</p>
      )}
    </section>
  );
}

/** As soon as the last context of the script is known. */
function DocPreview({ doc, active }: { doc: Doc; active: boolean }) {
  const { contexts } = useScripts();
  const known = useStore(contexts.store, (all) => all.get(doc.editor));
  const { key, editor, scriptId } = doc;
  useEffect(() => {
    void contexts.load({ key, editor, scriptId });
  }, [contexts, key, editor, scriptId]);
  return known ? <KnownPreview doc={doc} known={known} active={active} /> : null;
}

function KnownPreview({ doc, known, active }: { doc: Doc; known: ScriptContexts; active: boolean }) {
  const { runs, live, contexts } = useScripts();
  const state = useStore(runs.store, (all) => all.get(doc.editor) ?? NEVER_RAN);
  const form = known.current ?? EMPTY_CONTEXT;
  const setForm = (typed: SavedContext) => contexts.type(doc, typed);
  const context = contextOf(form);
  const { running } = state;
  const { on: liveOn, turn: turnLive, state: liveState } = useLive(doc, context);

  const run = async (dryRun: boolean) => {
    if (!context || running) return;
    live.cancel(doc.editor);
    void contexts.use(doc);
    await runs.run(doc.editor, doc.text.body, context, dryRun);
    live.show(doc.editor, false);
  };
  const stop = () => runs.stop(doc.editor);
  const canRun = active && context !== null && running === null;
  const section = 'Run';
  useCommands([
    { id: 'run.run', section, title: 'Run the script', keys: 'F5', enabled: canRun, run: () => run(false) },
    {
      id: 'run.dry',
      section,
      title: 'Dry run (saves nothing)',
      keys: 'Shift+F5',
      enabled: canRun,
      run: () => run(true),
    },
    { id: 'run.stop', section, title: 'Stop the run', keys: 'Ctrl+F5', enabled: active && running !== null, run: stop },
    {
      id: 'run.live',
      section,
      title: liveOn ? 'Turn off live runs' : 'Turn on live runs',
      keys: 'Alt+L',
      enabled: active,
      run: () => turnLive(!liveOn),
    },
  ]);

  return (
    <>
      <ContextFields
        menu={<ContextMenu doc={doc} form={form} recent={known.used} onChoose={setForm} />}
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
