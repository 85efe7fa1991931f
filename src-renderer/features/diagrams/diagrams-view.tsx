import { useCallback, useEffect, useState } from 'react';
import { Group, Panel, useDefaultLayout } from 'react-resizable-panels';
import type { DiagramSummary } from '#domain/tag/diagram';
import { problemOfDiagramName } from '#domain/tag/diagram';
import { problemOf } from '../../client/errors.ts';
import { useCommands, useWorkbench } from '../../frame/workbench.ts';
import type { ViewProps } from '../../frame/view.ts';
import { Button, Text } from '../../ui/fluent.ts';
import { SidePane } from '../../frame/panes/side-pane.tsx';
import { Splitter } from '../../ui/split.tsx';
import { useStore } from '../../support/store.ts';
import { TextDialog } from '../../ui/dialogs/text-dialog.tsx';
import { DiagramList } from './diagram-list.tsx';
import { DiagramsModel } from './model/diagrams-model.ts';
import { OpenPane } from './open-pane.tsx';
import styles from './diagrams.module.css';

const PANELS = ['diagrams-list', 'diagrams-diagram'];
const NEW_PAGE = { width: 1_008, height: 640, parts: [] };
const NO_COMMANDS: [] = [];

/** The Diagrams, and the open one. */
export function DiagramsView({ active, target }: ViewProps) {
  const { client, notify } = useWorkbench();
  const [model] = useState(() => new DiagramsModel(client));
  const { diagrams, problem, open } = useStore(model.store);
  const [naming, setNaming] = useState(false);
  const layout = useDefaultLayout({ id: 'tagwright.diagrams', panelIds: PANELS, storage: localStorage });

  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    void model.start(end.signal);
    return () => end.abort();
  }, [model, active]);
  const show = useCallback(
    (which: { id: number } | { name: string }) =>
      model.open(which).catch((error: unknown) => {
        notify({ intent: 'error', title: 'The Diagram was not opened', error });
      }),
    [model, notify],
  );
  useEffect(() => {
    if (target) void show({ name: target.what });
  }, [target, show]);

  const create = async (name: string) => {
    try {
      await model.create({ ...NEW_PAGE, name });
    } catch (error) {
      throw new Error(problemOf(error).message, { cause: error });
    }
  };
  const remove = async ({ id, name }: DiagramSummary) => {
    try {
      const undo = await model.delete(id);
      notify({ intent: 'success', title: 'Deleted', body: name, action: { label: 'Undo', run: undo } });
    } catch (error) {
      notify({ intent: 'error', title: 'The Diagram was not deleted', error });
    }
  };
  const duplicate = async ({ id }: Pick<DiagramSummary, 'id'>) => {
    try {
      await model.duplicate(id);
    } catch (error) {
      notify({ intent: 'error', title: 'The Diagram was not duplicated', error });
    }
  };
  const newCommand = {
    id: 'diagrams.new',
    section: 'Diagrams',
    title: 'New Diagram',
    keys: 'Alt+N',
    run: () => setNaming(true),
  };
  const duplicateCommand = {
    id: 'diagrams.duplicate-page',
    section: 'Diagrams',
    title: 'Duplicate the Diagram',
    enabled: open !== null,
    run: () => {
      if (open) void duplicate(open);
    },
  };
  useCommands(active ? [newCommand, duplicateCommand] : NO_COMMANDS);

  return (
    <Group className={styles.view} orientation="horizontal" {...layout}>
      <SidePane
        id="diagrams-list"
        side="left"
        title="list of Diagrams"
        active={active}
        className={styles.pane}
        least={160}
        size={244}
      >
        <DiagramList
          diagrams={diagrams ?? []}
          openId={open?.id ?? null}
          onOpen={(id) => void show({ id })}
          onNew={() => setNaming(true)}
          onDelete={(diagram) => void remove(diagram)}
        />
      </SidePane>
      <Splitter label="Width of the list of Diagrams" />
      <Panel id="diagrams-diagram" className={styles.pane} minSize={360}>
        {open ? (
          <OpenPane
            key={open.id}
            diagram={open}
            active={active}
            onRecreate={async (page) => {
              await model.create(page);
              open.forget();
            }}
            onDiscard={() => model.discardOpen()}
          />
        ) : (
          <div className={styles.empty}>
            {problem !== null ? (
              <p role="alert">The Diagrams could not be loaded: {problem}</p>
            ) : diagrams?.length === 0 ? (
              <>
                <Text weight="semibold">There are no Diagrams yet.</Text>
                <p>A Diagram is a page of values, lamps, inputs and buttons that shows the values at a location.</p>
                <Button appearance="primary" onClick={() => setNaming(true)}>
                  New Diagram
                </Button>
              </>
            ) : (
              <p>Choose a Diagram to see it as shown at a location.</p>
            )}
          </div>
        )}
      </Panel>
      {naming && (
        <TextDialog
          title="New Diagram"
          label="Name (Diagram scope of its tags)"
          action="Create"
          problemOf={problemOfDiagramName}
          onDone={create}
          onClose={() => setNaming(false)}
        />
      )}
    </Group>
  );
}
