import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { problemOfName } from '#domain/run/script';
import { problemOf } from '../../../client/errors.ts';
import { focusPane, openPane } from '../../../frame/panes/panes.ts';
import { useCommands, useWorkbench } from '../../../frame/workbench.ts';
import { Button, Field, Input, Tooltip, useRestoreFocusTarget, ProgressBar } from '../../../ui/fluent.ts';
import {
  BeakerRegular,
  CheckmarkCircleFilled,
  DocumentAddRegular,
  DocumentJavascriptRegular,
  FolderAddRegular,
  FolderRegular,
  SearchRegular,
  StopFilled,
  WarningFilled,
} from '../../../ui/icons.ts';
import { remember, remembered } from '../../../support/local-storage.ts';
import { scoreText } from '../failures/failure-scores.ts';
import { useStore } from '../../../support/store.ts';
import { TextDialog } from '../../../ui/dialogs/text-dialog.tsx';
import { Tree, type TreeRow } from '../../../ui/lists/tree.tsx';
import { useScripts } from '../scripts-context.ts';
import { stateOfTests } from '../model/script-tests.ts';
import type { TestState } from '../model/script-tests.ts';
import { testedText } from '../model/scripts-state.ts';
import { TestMark } from '../tests/test-mark.tsx';
import { RowMenu } from './row-menu.tsx';
import { type ExplorerRow, explorerRows, groupRowOf } from './rows.ts';
import { useScriptActions } from './use-script-actions.ts';
import styles from './explorer.module.css';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { Sentence } from '../../../ui/text/sentence.tsx';
import { SuggestField } from '../../../ui/fields/suggest-field.tsx';

type ScriptRow = ExplorerRow & { what: 'script' };
type ExplorerDialog =
  | { what: 'group' }
  | { what: 'move'; row: ScriptRow }
  | { what: 'delete'; row: ScriptRow; uses: string };

/** Groups and scripts as a tree, with all actions. */
export function Explorer({ active }: { active: boolean }) {
  const { show } = useWorkbench();
  const { model, library, editor, tests, scores } = useScripts();
  const testsState = useStore(tests.store);
  const state = useStore(model.store);
  const scored = useStore(scores.store);
  const { workspace } = state;
  useEffect(() => {
    if (workspace !== '') scores.load(workspace);
  }, [scores, workspace]);
  const versions = useMemo(() => new Map(state.scripts.map(({ id, version }) => [id, version])), [state.scripts]);
  const [filter, setFilter] = useState('');
  const [collapsed, setCollapsed] = useState(() => new Set(remembered<string[]>('explorer.collapsed', [])));
  const [renaming, setRenaming] = useState<string | null>(null);
  const [menu, setMenu] = useState<{ id: string; x: number; y: number } | null>(null);
  const [dialog, setDialog] = useState<ExplorerDialog | null>(null);
  const actions = useScriptActions();
  const restoreFocus = useRestoreFocusTarget();
  const rows = useMemo(() => explorerRows(state, collapsed, filter), [state, collapsed, filter]);
  const byId = useMemo(() => new Map(rows.map((row) => [row.id, row])), [rows]);
  const activeDoc = state.active === null ? undefined : state.docs.get(state.active);

  const closeDialog = () => {
    setDialog(null);
    setTimeout(() => focusPane('explorer'), 0);
  };
  const groupForNew = () => activeDoc?.text.group ?? state.groups[0] ?? '';
  const create = (group: string) => {
    // Synchronously, so that the next key goes into the new script.
    flushSync(() => void model.create(group));
    editor.get()?.focus();
  };
  useCommands([
    {
      id: 'scripts.new',
      section: 'Scripts',
      title: 'New script',
      keys: 'Alt+N',
      // Other views use these keys for something else.
      enabled: active && state.phase === 'ready',
      run: () => create(groupForNew()),
    },
    {
      id: 'tests.runAll',
      section: 'Tests',
      title: 'Run all tests of all scripts',
      keys: 'Alt+A',
      enabled: active && testsState.running === null && (testsState.tests?.size ?? 0) > 0,
      run: () => void tests.runAll(),
    },
    {
      id: 'tests.stop',
      section: 'Tests',
      title: 'Stop the tests',
      enabled: active && testsState.running !== null,
      run: () => tests.cancel(),
    },
    { id: 'scripts.newGroup', section: 'Scripts', title: 'New group', run: () => setDialog({ what: 'group' }) },
    {
      id: 'scripts.explorer',
      section: 'Scripts',
      title: 'Go to the explorer',
      keys: 'Ctrl+Shift+E',
      run: () => {
        // Synchronously: the next key may be for the tree.
        flushSync(() => show('scripts'));
        if (!openPane('explorer')) focusPane('explorer');
      },
    },
  ]);

  const open = (id: string) => {
    const row = byId.get(id);
    if (row?.what === 'script') void actions.attempt('The script was not opened', () => model.open(row.scriptId));
    if (row?.what === 'unsaved') void actions.attempt('The draft was not opened', () => model.openDraft(row.key));
  };
  const toggle = (id: string, expanded: boolean) => {
    const next = new Set(collapsed);
    if (expanded) next.delete(id);
    else next.add(id);
    setCollapsed(next);
    remember('explorer.collapsed', [...next]);
  };
  // A script that is created, saved, moved or opened is shown, and the tree scrolls to it. Once: its group can be folded
  // again, and stays folded after a reload.
  const place = state.active === null ? null : groupRowOf(state, state.active);
  const shown = useRef<{ key: string | null; place: string | null } | null>(null);
  useEffect(() => {
    if (state.phase !== 'ready') return;
    const before = shown.current;
    shown.current = { key: state.active, place };
    const isSame = before?.key === state.active && before.place === place;
    if (before !== null && !isSame && place !== null && collapsed.has(place)) toggle(place, true);
  });
  const renamed = (id: string, name: string | null) => {
    setRenaming(null);
    const row = byId.get(id);
    if (name === null || !row) return;
    const rename = (work: () => Promise<void>) => void actions.attempt('The name was not changed', work);
    if (row.what === 'group') rename(() => library.renameGroup(row.name, name));
    if (row.what === 'script') rename(() => library.rename(row.scriptId, { name }));
    if (row.what === 'unsaved') model.edit(row.key, { name });
  };
  const removeScript = async (row: ScriptRow) => {
    const uses = await actions.usesOf(row.scriptId);
    if (uses === '') await actions.remove(row.scriptId, row.name);
    else if (uses !== null) setDialog({ what: 'delete', row, uses });
  };
  const remove = (row: ExplorerRow) => {
    if (row.what === 'script') void removeScript(row);
    if (row.what === 'group') void actions.removeGroup(row.name);
    if (row.what === 'unsaved') void actions.discard(row.key);
  };
  const onKey = (id: string, event: KeyboardEvent): boolean => {
    const row = byId.get(id);
    if (!row) return false;
    if (event.key === 'F2' && row.what !== 'unsaved-group') return (setRenaming(id), true);
    if (event.key === 'Delete') return (remove(row), true);
    return false;
  };

  const stateOf = (row: ExplorerRow) =>
    row.what === 'script' ? stateOfTests(testsState, row.scriptId, testedText(state, row.scriptId)) : null;
  const markOfScore = (row: ExplorerRow): ShownScore | null => {
    const score = row.what === 'script' ? scored.get(row.scriptId) : undefined;
    if (!score || row.what !== 'script') return null;
    const isStale = row.mark !== 'none' || versions.get(row.scriptId) !== score.version;
    return { text: scoreText(score, isStale), risky: score.risky, isStale };
  };
  const menuRow = menu ? byId.get(menu.id) : undefined;
  return (
    <section className={styles.explorer} aria-label="Explorer" data-pane="explorer">
      <header className={styles.header}>
        <h2>Scripts</h2>
        <Tooltip content="Run all tests (Alt+A)" relationship="label">
          <Button
            size="small"
            appearance="subtle"
            icon={<BeakerRegular />}
            disabledFocusable={testsState.running !== null || (testsState.tests?.size ?? 0) === 0}
            onClick={() => void tests.runAll()}
          />
        </Tooltip>
        <Tooltip content="New script (Alt+N)" relationship="label">
          <Button
            size="small"
            appearance="subtle"
            icon={<DocumentAddRegular />}
            onClick={() => create(groupForNew())}
          />
        </Tooltip>
        <Tooltip content="New group" relationship="label">
          <Button
            size="small"
            appearance="subtle"
            icon={<FolderAddRegular />}
            onClick={() => setDialog({ what: 'group' })}
            {...restoreFocus}
          />
        </Tooltip>
      </header>
      <Input
        className={styles.filter}
        size="small"
        type="search"
        aria-label="Filter scripts"
        placeholder="Filter"
        contentBefore={<SearchRegular />}
        value={filter}
        onChange={(_event, { value }) => setFilter(value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setFilter('');
          if (event.key === 'ArrowDown' || event.key === 'Enter') {
            event.preventDefault();
            focusPane('explorer');
          }
        }}
      />
      <Tree
        label="Scripts by group"
        rows={rows.map((row) => treeRow(row, state.active, stateOf(row), markOfScore(row)))}
        renaming={renaming}
        onRenamed={renamed}
        problemOf={(id, name) => problemOfName(byId.get(id)?.what === 'group' ? 'group' : 'name', name)}
        onOpen={open}
        onToggle={toggle}
        onMenu={(id, at) => setMenu({ id, ...at })}
        onKey={onKey}
        canDrop={(id, onto) => {
          const target = byId.get(onto);
          const moved = byId.get(id);
          return moved?.what === 'script' && target?.what === 'group' && target.name !== moved.group;
        }}
        onDrop={(id, onto) => {
          const [moved, target] = [byId.get(id), byId.get(onto)];
          if (moved?.what === 'script' && target?.what === 'group') void actions.move(moved.scriptId, target.name);
        }}
        empty={
          filter === '' ? (
            state.phase === 'ready' && (
              <p>A script is JavaScript that reads and writes tags. Press Alt+N to write the first one.</p>
            )
          ) : (
            <p>No scripts match.</p>
          )
        }
      />
      <TestSeriesLine />
      {state.outdated && (
        <p className={styles.outdated} role="status">
          The list may be out of date: {state.outdated.message} Retrying until it can be reloaded.
        </p>
      )}
      {menu && menuRow && menuRow.what !== 'unsaved-group' && (
        <RowMenu
          row={menuRow}
          at={menu}
          onClose={() => {
            setMenu(null);
            focusPane('explorer');
          }}
          onOpen={() => open(menuRow.id)}
          onRename={() => setRenaming(menuRow.id)}
          onDelete={() => remove(menuRow)}
          onNew={() => menuRow.what === 'group' && create(menuRow.name)}
          onMove={() => menuRow.what === 'script' && setDialog({ what: 'move', row: menuRow })}
          onDuplicate={() =>
            menuRow.what === 'script' &&
            void actions.attempt('The script was not duplicated', () => library.duplicate(menuRow.scriptId))
          }
        />
      )}
      {dialog?.what === 'group' && (
        <TextDialog
          title="New group"
          label="Script Group"
          action="Create"
          problemOf={(text) => problemOfName('group', text)}
          onDone={async (name) => {
            await library.createGroup(name).catch((error: unknown) => {
              throw new Error(problemOf(error).message, { cause: error });
            });
          }}
          onClose={closeDialog}
        />
      )}
      {dialog?.what === 'delete' && (
        <ConfirmDialog
          title="Delete the script"
          action="Delete"
          onConfirm={() => actions.remove(dialog.row.scriptId, dialog.row.name)}
          onClose={closeDialog}
        >
          <p>
            <Sentence text={`“${dialog.row.name}” is used by ${dialog.uses}.`} /> Tags that run it read{' '}
            <code>BadConfigurationError</code> without it, and its tests do not run. You can undo this for a while.
          </p>
        </ConfirmDialog>
      )}
      {dialog?.what === 'move' && (
        <MoveDialog
          name={dialog.row.name}
          group={dialog.row.group}
          groups={state.groups}
          onMove={(group) => actions.move(dialog.row.scriptId, group)}
          onClose={closeDialog}
        />
      )}
    </section>
  );
}

interface MoveDialogProps {
  name: string;
  group: string;
  groups: readonly string[];
  onMove: (group: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for the new group of a script; a new name creates a group. */
function MoveDialog({ name, group, groups, onMove, onClose }: MoveDialogProps) {
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  const others = groups.filter((other) => other !== group);
  const wanted = text.trim();
  const problem = problemOfName('group', wanted);
  const submit = () => {
    setTried(true);
    if (problem !== null) return;
    onClose();
    void onMove(wanted);
  };
  const shownProblem = problem !== null && (tried || wanted !== '') ? { validationMessage: problem } : {};
  return (
    <FormDialog title={`Move “${name}”`} action="Move" width={420} onSubmit={submit} onClose={onClose}>
      <Field label="To group" required {...shownProblem}>
        <SuggestField
          isOftenNew
          autoFocus
          placeholder="Choose a group, or name a new one"
          value={text}
          choices={others}
          onChange={setText}
        />
      </Field>
    </FormDialog>
  );
}

const TEST_TEXTS: Readonly<Record<TestState, string>> = {
  passed: 'tests passed',
  failed: 'tests failed',
  'not run': 'tests not run since the last change',
};

/** What *Try failures* found in a script. */
interface ShownScore {
  text: string;
  risky: number;
  /** The script is not the one that was tried. */
  isStale: boolean;
}

/** A row of the explorer in the tree; `active` is the key of the open script. */
function treeRow(row: ExplorerRow, active: string | null, tests: TestState | null, score: ShownScore | null): TreeRow {
  if (row.what === 'group' || row.what === 'unsaved-group') {
    return {
      id: row.id,
      level: 1,
      label: row.what === 'group' ? row.name : 'Not saved yet',
      expanded: row.expanded,
      icon: <FolderRegular aria-hidden />,
      describe: row.what === 'group' && row.empty ? 'empty group' : undefined,
    };
  }
  return {
    id: row.id,
    level: 2,
    label: row.name,
    icon: <DocumentJavascriptRegular aria-hidden />,
    selected: row.key === active,
    draggable: row.what === 'script',
    describe:
      [
        row.mark === 'none' ? '' : row.mark === 'dirty' ? 'unsaved' : 'draft',
        tests === null || tests === 'not run' ? '' : TEST_TEXTS[tests],
        score?.text ?? '',
      ]
        .filter((text) => text !== '')
        .join(', ') || undefined,
    after: (
      <>
        {row.mark !== 'none' && <span className={styles.mark} data-mark={row.mark} />}
        {tests !== null && <TestMark state={tests} title={TEST_TEXTS[tests]} />}
        {score !== null && (
          <span
            className={styles.score}
            data-stale={score.isStale}
            data-risky={score.risky > 0}
            data-count={score.risky}
            title={score.text}
          >
            {score.risky > 0 ? <WarningFilled aria-hidden /> : <CheckmarkCircleFilled aria-hidden />}
          </span>
        )}
      </>
    ),
  };
}

/** The progress of "Run all tests", and its result. */
function TestSeriesLine() {
  const { tests } = useScripts();
  const series = useStore(tests.store, (state) => state.series);
  if (!series?.all) return null;
  const { done, total, failed, ended } = series;
  if (ended === 'no') {
    return (
      <div className={styles.series}>
        <span>
          Test {Math.min(done + 1, total)} of {total}
        </span>
        <ProgressBar aria-label="Progress of the tests" value={done} max={total} />
        <Button
          size="small"
          appearance="subtle"
          icon={<StopFilled />}
          aria-label="Stop the tests"
          title="Stop the tests"
          onClick={() => tests.cancel()}
        />
      </div>
    );
  }
  const result = `${done - failed} of ${total.toLocaleString('en')} ${total === 1 ? 'test' : 'tests'} passed`;
  return (
    <p className={styles.series} role="status" data-failed={failed > 0}>
      {ended === 'cancelled' ? `Stopped: ${result}` : result}
    </p>
  );
}
