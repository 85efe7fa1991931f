import { useEffect, useState } from 'react';
import { Group, Panel, useDefaultLayout } from 'react-resizable-panels';
import { problemOf } from '../../client/errors.ts';
import { useWorkbench } from '../../frame/workbench.ts';
import type { ViewProps } from '../../frame/view.ts';
import { deferred } from '../../ui/deferred.tsx';
import { remember, remembered } from '../../support/local-storage.ts';
import { Button, Spinner, Text } from '../../ui/fluent.ts';
import { SidePanel, Splitter } from '../../ui/split.tsx';
import { Store, useStore } from '../../support/store.ts';
import { EditorArea } from './editor/editor-area.tsx';
import { Explorer } from './explorer/explorer.tsx';
import { Library } from './model/library.ts';
import { LiveRuns } from './model/live.ts';
import { OpenContexts } from './model/open-contexts.ts';
import { Runs } from './model/runs.ts';
import { ScriptsModel } from './model/scripts-model.ts';
import { openAt } from './open-at.ts';
import { ScriptsContext } from './scripts-context.ts';
import type { EditorHandle, Scripts } from './scripts-context.ts';
import styles from './scripts.module.css';

const Preview = deferred(async () => (await import('./preview/preview.tsx')).Preview);

const MEMORY = { read: remembered, write: remember };
const PANELS = ['explorer', 'editor', 'preview'];

/** Explorer, editor and preview side by side. */
export function ScriptsView({ active, target }: ViewProps) {
  const { client, notify } = useWorkbench();
  const [scripts] = useState<Scripts>(() => {
    const model = new ScriptsModel(client, MEMORY);
    return {
      model,
      library: new Library(client, model),
      runs: new Runs(client),
      live: new LiveRuns(client, (key, start) => model.documentOf(key)?.afterPause(start) ?? (() => {})),
      contexts: new OpenContexts(client, MEMORY, () => model.store.get().workspace),
      liveOn: new Store(remembered('preview.live', true)),
      editor: new Store<EditorHandle | null>(null),
    };
  });
  const [attempt, setAttempt] = useState(0);
  const { model } = scripts;
  const phase = useStore(model.store, (state) => state.phase);
  const layout = useDefaultLayout({ id: 'tagwright.scripts', panelIds: PANELS, storage: localStorage });

  useEffect(() => {
    const end = new AbortController();
    void model.start(end.signal);
    return () => end.abort();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a retry restarts the effect
  }, [model, attempt]);

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
    openAt(scripts, Number(target.what), target.line ?? null).catch((error: unknown) => {
      notify({ intent: 'error', title: 'The script was not opened', body: problemOf(error).message });
    });
  }, [scripts, target, phase, notify]);

  if (phase === 'failed') return <Failed model={model} again={() => setAttempt((count) => count + 1)} />;
  return (
    <ScriptsContext value={scripts}>
      <Group className={styles.view} orientation="horizontal" {...layout}>
        <SidePanel id="explorer" className={styles.pane} least={160} size={244}>
          <Explorer active={active} />
        </SidePanel>
        <Splitter label="Width of the explorer" />
        <Panel id="editor" className={styles.pane} minSize={280}>
          <EditorArea active={active} />
        </Panel>
        <Splitter label="Width of the preview" />
        <Panel id="preview" className={styles.pane} minSize={280} defaultSize="34%">
          <Preview active={active} />
        </Panel>
      </Group>
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
    <div className={styles.centre} role="alert">
      <Text weight="semibold">The script library could not be loaded.</Text>
      <Text>{problem?.message}</Text>
      <Button appearance="primary" onClick={again}>
        Try again
      </Button>
    </div>
  );
}
