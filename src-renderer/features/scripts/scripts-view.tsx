import { useEffect, useState } from 'react';
import { Group, Panel, useDefaultLayout } from 'react-resizable-panels';
import { type TagFormats, useTagFormats } from '../../client/tag-formats.ts';
import { useWorkbench } from '../../frame/workbench.ts';
import type { ViewProps, ViewTarget } from '../../frame/view.ts';
import { preloadEditorFiles } from '../../support/editor-files.ts';
import { remember, remembered, rememberedKeys } from '../../support/local-storage.ts';
import { Button, Spinner, Text } from '../../ui/fluent.ts';
import { deferred } from '../../ui/deferred.tsx';
import { SidePane } from '../../frame/panes/side-pane.tsx';
import { Splitter } from '../../ui/split.tsx';
import { Store, useStore } from '../../support/store.ts';
import { ownWindowId } from '../../support/window-id.ts';
import { debugParts, debugTag } from './debug/debug-parts.ts';
import { RightPane } from './debug/right-pane.tsx';
import { EditorArea } from './editor/editor-area.tsx';
import { Explorer } from './explorer/explorer.tsx';
import { Capsules } from './model/capsules.ts';
import { FailureScores } from './failures/failure-scores.ts';
import { Lenses, showInScopes } from './lens/lenses.ts';
import { FailureMatrices } from './model/failures.ts';
import { Library } from './model/library.ts';
import { LiveRuns } from './model/live.ts';
import { OpenContexts } from './model/open-contexts.ts';
import { Reruns } from './model/reruns.ts';
import { Runs } from './model/runs.ts';
import { ScriptTests } from './model/script-tests.ts';
import { ScriptsModel } from './model/scripts-model.ts';
import { testedText, type Memory } from './model/scripts-state.ts';
import type { ShownVersion } from './history/version-dialog.tsx';
import { openAt } from './open-at.ts';
import { ScriptsContext } from './scripts-context.ts';
import type { EditorHandle, Scripts, ShownTest } from './scripts-context.ts';
import styles from './scripts.module.css';

const MEMORY: Memory = {
  read: (key, fallback) => remembered(key, fallback),
  write: (key, value) => remember(key, value),
};
const OF_WINDOW: Memory = {
  read: (key, fallback) => remembered(key, fallback, sessionStorage),
  write: (key, value) => remember(key, value, sessionStorage),
};
const PANELS = ['scripts-explorer', 'scripts-editor', 'scripts-preview'];

/** The target of a tag to debug. */
const DEBUGS = 'debug:';

/** The target of a tag, or of a Diagram, to show in all scopes: its path or its name follows. */
const LENS = /^lens:(tag|diagram):(.+)$/s;

/** The target of a version of a script: its id and the version. */
const VERSION = /^version:(\d+):(\d+)$/;

function versionOf({ what, line }: ViewTarget): ShownVersion | null {
  const [, id, version] = VERSION.exec(what) ?? [];
  return id === undefined ? null : { scriptId: Number(id), version: Number(version), line: line ?? null };
}

const VersionDialog = deferred(async () => (await import('./history/version-dialog.tsx')).VersionDialog);

/** Explorer, editor and preview side by side. */
export function ScriptsView({ active, target }: ViewProps) {
  const { client, notify, drafts, commands } = useWorkbench();
  const [scripts] = useState<Scripts>(() => {
    const model = new ScriptsModel(client, {
      ...MEMORY,
      keys: rememberedKeys,
      ofWindow: OF_WINDOW,
      window: ownWindowId(),
    });
    const runs = new Runs(client);
    const live = new LiveRuns(client, (key, start) => model.documentOf(key)?.afterPause(start) ?? (() => {}));
    const debug = debugParts({
      client,
      memory: { ofWindow: OF_WINDOW, browser: MEMORY },
      notify,
      reported: ({ key, body, context, runs: other }, report, test) => {
        // The result of a tag has no preview: the console shows it.
        if (other && 'tag' in other) return;
        const editor = model.doc(key)?.editor ?? key;
        runs.show(editor, { outcome: { kind: 'report', report }, body, context });
        live.show(editor, false);
        debug.pane.set('preview');
        if (other && test) void tested.debugged(other, body, { ...test, report });
      },
    });
    const tested = new ScriptTests(client, (scriptId) => testedText(model.store.get(), scriptId));
    return {
      model,
      library: new Library(client, model),
      runs,
      live,
      debug,
      reruns: new Reruns(client),
      contexts: new OpenContexts(client, MEMORY, () => model.store.get().workspace),
      tests: tested,
      failures: new FailureMatrices(client),
      scores: new FailureScores(MEMORY),
      capsules: new Capsules(client),
      lenses: new Lenses(client),
      testsOn: new Store(remembered('tests.rerun', false)),
      liveOn: new Store(remembered('preview.live', true)),
      shownTest: new Store<ShownTest>(null),
      formats: new Store<TagFormats>(new Map()),
      editor: new Store<EditorHandle | null>(null),
    };
  });
  const [seenVersion, setSeenVersion] = useState<ViewTarget | null>(null);
  const version = target !== seenVersion && target ? versionOf(target) : null;
  const [attempt, setAttempt] = useState(0);
  const { model, tests, formats, editor } = scripts;
  const phase = useStore(model.store, (state) => state.phase);
  const layout = useDefaultLayout({ id: 'tagwright.scripts', panelIds: PANELS, storage: localStorage });

  useEffect(preloadEditorFiles, []);
  useEffect(() => {
    const end = new AbortController();
    void model.start(end.signal);
    return () => end.abort();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a retry restarts the effect
  }, [model, attempt]);

  useEffect(() => {
    drafts.set({
      flush: () => model.flushDrafts(),
      replace: (...change) => model.replaceInDraft(...change),
      selected: () => editor.get()?.selected() ?? '',
    });
    return () => drafts.set(null);
  }, [drafts, model, editor]);
  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    void tests.follow(end.signal);
    return () => end.abort();
  }, [tests, active]);
  const currentFormats = useTagFormats(client, active);
  useEffect(() => formats.set(currentFormats), [formats, currentFormats]);

  useEffect(() => {
    const rescue = () => void model.rescue();
    const warn = (event: BeforeUnloadEvent) => {
      if (!model.rescue()) event.preventDefault();
    };
    window.addEventListener('pagehide', rescue);
    window.addEventListener('beforeunload', warn);
    return () => {
      window.removeEventListener('pagehide', rescue);
      window.removeEventListener('beforeunload', warn);
    };
  }, [model]);

  useEffect(() => {
    if (!target || phase !== 'ready') return;
    if (target.what.startsWith(DEBUGS)) {
      debugTag(scripts.debug, target.what.slice(DEBUGS.length));
      return;
    }
    if (VERSION.test(target.what)) return;
    const [, kind, name] = LENS.exec(target.what) ?? [];
    if (name !== undefined) {
      showInScopes(scripts, kind === 'tag' ? { what: 'tag', tag: name } : { what: 'diagram', diagram: name }).then(
        // A preview that is shown already changes its tab.
        () => setTimeout(() => void commands.run('run.lens'), 0),
        (error: unknown) => notify({ intent: 'error', title: 'The scope lens was not opened', error }),
      );
      return;
    }
    // The id of a script, the key of a new one, or `7:test:12`.
    const [script = '', , test] = target.what.split(':');
    const at = test === undefined ? (target.place ?? target.line ?? null) : null;
    scripts.shownTest.set(test === undefined ? null : { id: Number(test), place: target.place ?? null });
    openAt(scripts, script, at).catch((error: unknown) => {
      notify({ intent: 'error', title: 'The script was not opened', error });
    });
  }, [scripts, target, phase, notify, commands]);

  if (phase === 'failed') return <Failed model={model} again={() => setAttempt((count) => count + 1)} />;
  return (
    <ScriptsContext value={scripts}>
      <Group className={styles.view} orientation="horizontal" {...layout}>
        <SidePane
          id="scripts-explorer"
          side="left"
          title="explorer"
          active={active}
          className={styles.pane}
          least={160}
          size={244}
        >
          <Explorer active={active} />
        </SidePane>
        <Splitter label="Width of the explorer" />
        <Panel id="scripts-editor" className={styles.pane} minSize={280}>
          <EditorArea active={active} />
        </Panel>
        <Splitter label="Width of the preview" />
        <SidePane
          id="scripts-preview"
          side="right"
          title="preview"
          active={active}
          className={styles.pane}
          least={280}
          size="34%"
          keeps="fraction"
        >
          <RightPane active={active} />
        </SidePane>
      </Group>
      {version && active && (
        <VersionDialog
          shown={version}
          onClose={() => setSeenVersion(target)}
          onOpen={() => {
            setSeenVersion(target);
            openAt(scripts, version.scriptId, null).catch((error: unknown) => {
              notify({ intent: 'error', title: 'The script was not opened', error });
            });
          }}
        />
      )}
      {phase === 'loading' && (
        <div className={styles.loading}>
          <Spinner size="tiny" label="Opening the library…" />
        </div>
      )}
    </ScriptsContext>
  );
}

function Failed({ model, again }: { model: ScriptsModel; again: () => void }) {
  const problem = useStore(model.store, (state) => state.problem);
  return (
    <div className={styles.center} role="alert">
      <Text weight="semibold">The script library could not be loaded.</Text>
      <Text>{problem?.message}</Text>
      <Button appearance="primary" onClick={again}>
        Try again
      </Button>
    </div>
  );
}
