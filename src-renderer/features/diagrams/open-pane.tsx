import { useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { diagramAddress, PART_KINDS, problemOfDiagramName } from '#domain/tag/diagram';
import type { DiagramPart, DiagramText, PartKind } from '#domain/tag/diagram';
import type { Command } from '../../frame/palette/commands.ts';
import { usePageActions } from '../../frame/why/use-page-actions.ts';
import { useCommands, useWorkbench } from '../../frame/workbench.ts';
import { TEXT_FIELDS } from '../../ui/file-drop.ts';
import { Button, Input, ToggleButton } from '../../ui/fluent.ts';
import { ArrowRedoRegular, ArrowUndoRegular, EditRegular, SaveRegular, WindowNewRegular } from '../../ui/icons.ts';
import { remember, remembered } from '../../support/local-storage.ts';
import { useStore } from '../../support/store.ts';
import { AddMenu, EmptyPage, PART_NAMES } from './add-part.tsx';
import type { Arranging } from './arrange-buttons.tsx';
import { ALIGN_NAMES, DISTRIBUTE_NAMES } from './arrange-buttons.tsx';
import { ALIGNMENTS, AXES, alignParts, distributeParts } from './model/align-parts.ts';
import type { OpenDiagram } from './model/open-diagram.ts';
import { addPart, changePart, duplicateParts, pasteParts, removeParts, stackParts } from './model/page-edits.ts';
import { ZoomedPage } from '../../diagram-page/zoomed-page.tsx';
import { nextZoom, usePageZoom } from '../../diagram-page/page-zoom.ts';
import { ZoomMenu } from '../../diagram-page/zoom-menu.tsx';
import { Page, PageValues } from '../../diagram-page/page.tsx';
import { PageEditor } from './page-editor.tsx';
import { PageForm } from './page-form.tsx';
import { PartForm, SeveralForm } from './part-form.tsx';
import { ZOOM_KEYS } from './zoom-keys.ts';
import { WarningBars } from './warning-bars.tsx';
import styles from './diagrams.module.css';

const NOTHING: ReadonlySet<string> = new Set();
const NO_COMMANDS: [] = [];
/** In the browser's storage, so that parts can be pasted in another window. */
const CLIPBOARD = 'diagrams.parts';

interface Props {
  diagram: OpenDiagram;
  active: boolean;
  /** Recreates the shown Diagram, which another window deleted, as a new one. Rejects with the reason. */
  onRecreate: (page: DiagramText) => Promise<void>;
  /** Closes it, and discards its unsaved changes. */
  onDiscard: () => void;
}

/** An open Diagram: in use as a location sees it, or being arranged. */
export function OpenPane({ diagram, active, onRecreate, onDiscard }: Props) {
  const { client, notify, show } = useWorkbench();
  const { history, saved, keeps, elsewhere } = useStore(diagram.store);
  const page = history.now;
  const [editing, setEditing] = useState(page.parts.length === 0);
  const [workcenter, setWorkcenter] = useState(() => remembered('diagrams.workcenter', ''));
  const actions = usePageActions(page.name, workcenter);
  const [selected, setSelected] = useState(NOTHING);
  const view = usePageZoom(diagram.id);
  const properties = useRef<HTMLElement>(null);
  const chosen = new Set(page.parts.map(({ id }) => id).filter((id) => selected.has(id)));
  const only = page.parts.find(({ id }) => chosen.has(id));
  const nameProblem = problemOfDiagramName(page.name);

  const edit = (next: DiagramText, merge: string | null = null) => diagram.edit(next, merge);
  const save = async (over = false) => {
    try {
      await diagram.save(over);
      notify({ intent: 'success', title: 'Saved', body: page.name });
    } catch (error) {
      notify({ intent: 'error', title: 'The Diagram was not saved', error });
    }
  };
  const add = (kind: PartKind) => {
    const id = crypto.randomUUID();
    setEditing(true);
    edit(addPart(page, kind, id));
    setSelected(new Set([id]));
  };
  const remove = () => {
    edit(removeParts(page, chosen));
    setSelected(NOTHING);
  };
  const duplicate = () => {
    const { page: next, copies } = duplicateParts(page, chosen, () => crypto.randomUUID());
    edit(next);
    setSelected(copies);
  };
  const arranging: Arranging = {
    onStack: (where) => edit(stackParts(page, chosen, where)),
    onAlign: (alignment) => edit(alignParts(page, chosen, alignment)),
    onDistribute: (axis) => edit(distributeParts(page, chosen, axis)),
  };
  const copy = () => {
    const parts = page.parts.filter(({ id }) => chosen.has(id));
    if (parts.length > 0) remember(CLIPBOARD, parts);
  };
  const cut = () => {
    copy();
    remove();
  };
  const paste = () => {
    const { page: next, copies } = pasteParts(page, remembered<DiagramPart[]>(CLIPBOARD, []), () =>
      crypto.randomUUID(),
    );
    if (copies.size === 0) return;
    setEditing(true);
    edit(next);
    setSelected(copies);
  };
  /** Pastes wherever the focus is while the parts are arranged, such as on the button that begins it, but not in texts. */
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const isText = event.target instanceof Element && event.target.closest(TEXT_FIELDS) !== null;
    const isPaste = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v';
    if (!editing || !isPaste || isText || event.defaultPrevented) return;
    event.preventDefault();
    paste();
  };
  const recreate = async () => {
    try {
      await onRecreate(page);
      notify({ intent: 'success', title: 'Recreated', body: page.name });
    } catch (error) {
      notify({ intent: 'error', title: 'The Diagram was not created', error });
    }
  };
  const openWindow = () => void window.open(diagramAddress(page.name, workcenter), '_blank', 'noopener');
  const some = editing && chosen.size > 0;
  const command = (
    id: string,
    title: string,
    run: () => void,
    more: Pick<Command, 'keys' | 'alsoKeys' | 'enabled'> = {},
  ) => ({
    id: `diagrams.${id}`,
    section: 'Diagrams',
    title,
    run,
    ...more,
  });
  const commands = [
    command('save', 'Save the Diagram', () => void (elsewhere === 'deleted' ? recreate() : save()), {
      keys: 'Ctrl+S',
      enabled: !saved && nameProblem === null,
    }),
    command('edit', editing ? 'Use the Diagram' : 'Arrange the Diagram', () => setEditing(!editing), { keys: 'F2' }),
    command('undo', 'Undo', () => diagram.undo(), { keys: 'Ctrl+Z', enabled: editing && history.past.length > 0 }),
    command('redo', 'Redo', () => diagram.redo(), { keys: 'Ctrl+Y', enabled: editing && history.future.length > 0 }),
    command('copy', 'Copy the parts', copy, { enabled: some }),
    command('cut', 'Cut the parts', cut, { enabled: some }),
    command('paste', 'Paste parts', paste),
    command('duplicate', 'Duplicate the parts', duplicate, { keys: 'Ctrl+D', enabled: some }),
    command('front', 'Bring the parts to the front', () => arranging.onStack('front'), { enabled: some }),
    command('back', 'Send the parts to the back', () => arranging.onStack('back'), { enabled: some }),
    ...ALIGNMENTS.map((alignment) =>
      command(`align.${alignment}`, ALIGN_NAMES[alignment], () => arranging.onAlign(alignment), {
        enabled: some && chosen.size > 1,
      }),
    ),
    ...AXES.map((axis) =>
      command(`distribute.${axis}`, DISTRIBUTE_NAMES[axis], () => arranging.onDistribute(axis), {
        enabled: some && chosen.size > 2,
      }),
    ),
    ...ZOOM_KEYS.map(({ by, name, title, keys: [keys, ...alsoKeys] }) =>
      command(`zoom.${name}`, title, () => view.setZoom(by === 0 ? 'fit' : nextZoom(view.scale, by)), {
        keys,
        alsoKeys,
      }),
    ),
    command('zoom.whole', 'Zoom the Diagram to 100 %', () => view.setZoom(1)),
    command('scopes', 'Show the Diagram in all scopes', () => show('scripts', `lens:diagram:${page.name}`), {
      enabled: saved,
    }),
    command('window', 'Open the Diagram in a new window', openWindow, { enabled: saved }),
    ...PART_KINDS.map((kind) => command(`add.${kind}`, `Add: ${PART_NAMES[kind]}`, () => add(kind))),
  ];
  useCommands(active ? commands : NO_COMMANDS);

  return (
    <section className={styles.open} aria-label="Diagram" data-pane="diagram" onKeyDown={onKeyDown}>
      <header className={styles.bar}>
        <ToggleButton
          size="small"
          checked={editing}
          icon={<EditRegular />}
          title="Arrange the parts (F2)"
          onClick={() => setEditing(!editing)}
        >
          Arrange
        </ToggleButton>
        {editing && <AddMenu onAdd={add} />}
        {editing && (
          <>
            <Button
              size="small"
              appearance="subtle"
              aria-label="Undo"
              title="Undo (Ctrl+Z)"
              icon={<ArrowUndoRegular />}
              disabledFocusable={history.past.length === 0}
              onClick={() => diagram.undo()}
            />
            <Button
              size="small"
              appearance="subtle"
              aria-label="Redo"
              title="Redo (Ctrl+Y)"
              icon={<ArrowRedoRegular />}
              disabledFocusable={history.future.length === 0}
              onClick={() => diagram.redo()}
            />
          </>
        )}
        <label className={styles.scope}>
          workcenter
          <Input
            size="small"
            value={workcenter}
            placeholder="default"
            onChange={(_event, { value }) => {
              remember('diagrams.workcenter', value);
              setWorkcenter(value);
            }}
          />
        </label>
        <span className={styles.push} />
        <ZoomMenu view={view} />
        <Button
          size="small"
          appearance="subtle"
          className={styles.newWindow}
          icon={<WindowNewRegular />}
          aria-label="Open in new window"
          disabledFocusable={!saved}
          title={saved ? diagramAddress(page.name, workcenter) : 'Save the Diagram first'}
          onClick={openWindow}
        >
          <span>New window</span>
        </Button>
        <Button
          size="small"
          appearance={saved ? 'subtle' : 'primary'}
          icon={<SaveRegular />}
          title="Save (Ctrl+S)"
          disabledFocusable={saved || nameProblem !== null || elsewhere === 'deleted'}
          onClick={() => void save()}
        >
          {saved ? 'Saved' : 'Save'}
        </Button>
      </header>
      <WarningBars
        elsewhere={elsewhere}
        keeps={keeps || saved}
        canMake={nameProblem === null}
        onSaveOver={() => void save(true)}
        onShowTheirs={() => void diagram.revert()}
        onRecreate={() => void recreate()}
        onDiscard={onDiscard}
      />
      <div className={styles.work}>
        <div className={styles.canvas}>
          <ZoomedPage width={page.width} view={view}>
            {editing ? (
              <PageValues client={client} page={page} workcenter={workcenter} active={active}>
                <PageEditor
                  page={page}
                  editing={{
                    selected: chosen,
                    onSelect: setSelected,
                    onEdit: edit,
                    onRemove: remove,
                    onCopy: copy,
                    onCut: cut,
                    onPaste: paste,
                    onProperties: () => properties.current?.querySelector<HTMLElement>('input, textarea')?.focus(),
                  }}
                />
              </PageValues>
            ) : (
              <Page client={client} page={page} workcenter={workcenter} active={active} actions={actions} />
            )}
          </ZoomedPage>
          {page.parts.length === 0 && <EmptyPage onAdd={add} />}
        </div>
        {editing && (
          <section
            ref={properties}
            className={styles.properties}
            aria-label="Properties"
            data-pane="diagram-properties"
          >
            {only && chosen.size === 1 ? (
              <PartForm
                key={only.id}
                part={only}
                page={page}
                onChange={(change, merge) => edit(changePart(page, only.id, change), merge)}
                onStack={arranging.onStack}
              />
            ) : chosen.size > 1 ? (
              <SeveralForm count={chosen.size} onRemove={remove} {...arranging} />
            ) : (
              <PageForm page={page} problem={nameProblem} onChange={edit} />
            )}
          </section>
        )}
      </div>
    </section>
  );
}
