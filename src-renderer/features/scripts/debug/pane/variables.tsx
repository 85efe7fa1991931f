import { useCallback, useMemo, useState, type KeyboardEvent } from 'react';
import { useCopy } from '../../../../frame/use-copy.ts';
import { useWorkbench } from '../../../../frame/workbench.ts';
import { useStore } from '../../../../support/store.ts';
import { Tree, type TreeRow } from '../../../../ui/lists/tree.tsx';
import { RowMenu, type MenuEntry } from '../../../../ui/lists/row-menu.tsx';
import { useScripts } from '../../scripts-context.ts';
import type { RunDebugger } from '../model/debugger.ts';
import { type Root, VariableTree, type VariableRow } from '../model/variable-tree.ts';
import { problemOf } from '../../../../client/errors.ts';
import { useEachStop } from './use-each-stop.ts';
import styles from './debug.module.css';

/** A tree of variables whose children are read from the paused run. */
export function useVariableTree(session: RunDebugger): VariableTree {
  return useMemo(
    () =>
      new VariableTree(
        async (args) => (await session.ask('variables', args)).variables,
        (args) => session.known('variables', args)?.variables ?? null,
      ),
    [session],
  );
}

/** The variables of the selected frame by scope. F2 or Enter edits a value, Ctrl+C copies it. */
export function Variables() {
  const { debug } = useScripts();
  const { debugger: session } = debug;
  const tree = useVariableTree(session);
  const [problem, setProblem] = useState<string | null>(null);
  const [isRead, setIsRead] = useState(false);

  const read = useCallback(
    async (frame: number | null, signal: AbortSignal) => {
      if (frame === null) return;
      try {
        // Without waiting if they came with the stop: then it renders once.
        const known = session.known('scopes', { frameId: frame });
        const { scopes } = known ?? (await session.ask('scopes', { frameId: frame }));
        if (signal.aborted) return;
        setProblem(null);
        await tree.show(
          scopes.map((scope, index): Root => ({
            name: scope.name,
            value: '',
            type: '',
            kind: 'scope',
            ref: scope.variablesReference,
            indexed: scope.indexedVariables ?? 0,
            named: scope.namedVariables ?? 0,
            isOpen: index === 0 || !scope.expensive,
            evaluateName: null,
          })),
        );
        setIsRead(true);
      } catch (error) {
        if (!signal.aborted) setProblem(problemOf(error).message);
      }
    },
    [session, tree],
  );
  useEachStop(session, read);

  if (problem !== null) return <p className={styles.hint}>{problem}</p>;
  return <VariableRows label="Variables" tree={tree} empty={isRead ? 'This frame has no variables.' : ''} />;
}

interface VariableRowsProps {
  label: string;
  tree: VariableTree;
  empty: string;
  /** Keys and menu entries of a root: a watched expression. */
  onRootKey?: (index: number, event: KeyboardEvent) => boolean;
  rootMenu?: (index: number) => MenuEntry[];
}

/** Rows of variables that unfold, with getters that are called on demand and values that are edited in place. */
export function VariableRows({ label, tree, empty, onRootKey, rootMenu }: VariableRowsProps) {
  const { debug } = useScripts();
  const { debugger: session, watches } = debug;
  const { notify } = useWorkbench();
  const copy = useCopy();
  const rows = useStore(tree.store);
  const [editing, setEditing] = useState<string | null>(null);
  const [menu, setMenu] = useState<{ id: string; at: { x: number; y: number } } | null>(null);
  const shown = useMemo(() => rows.map(rowOf), [rows]);
  const rowFor = (id: string) => rows.find((row) => row.id === id);
  const rootIndex = (id: string) => rows.filter(({ level }) => level === 1).findIndex((row) => row.id === id);

  const assign = async (id: string, text: string | null) => {
    setEditing(null);
    const row = rowFor(id);
    if (text === null || text.trim() === '' || !row || row.parent === null) return;
    try {
      await session.ask('setVariable', { variablesReference: row.parent, name: row.name, value: text });
      session.changed();
    } catch (error) {
      notify({ intent: 'error', title: `“${row.name}” was not changed`, error });
    }
  };
  const edit = (id: string) => {
    const row = rowFor(id);
    if (row && row.parent !== null && !row.isLazy) setEditing(id);
  };
  const open = (id: string) => {
    const row = rowFor(id);
    if (row?.isLazy) void tree.call(id);
  };
  const onKey = (id: string, event: KeyboardEvent): boolean => {
    const row = rowFor(id);
    if (!row) return false;
    if (row.level === 1 && onRootKey?.(rootIndex(id), event)) return true;
    const edits = event.key === 'F2' || (event.key === 'Enter' && row.expanded === undefined && !row.isLazy);
    if (edits && row.parent !== null) edit(id);
    else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'c')
      void copy(row.value, 'The value was copied');
    else return false;
    return true;
  };
  const entriesOf = (row: VariableRow): MenuEntry[] => [
    ...(row.isLazy ? [{ title: 'Call the getter', keys: 'Enter', run: () => void tree.call(row.id) }] : []),
    ...(row.parent !== null && !row.isLazy
      ? [{ title: 'Edit the value', keys: 'F2', run: () => setEditing(row.id) }]
      : []),
    ...(row.value === ''
      ? []
      : [{ title: 'Copy the value', keys: 'Ctrl+C', run: () => void copy(row.value, 'The value was copied') }]),
    ...(row.evaluateName !== null && row.level > 1
      ? [{ title: 'Watch', run: () => watches.add(row.evaluateName ?? '') }]
      : []),
    ...(row.level === 1 ? (rootMenu?.(rootIndex(row.id)) ?? []) : []),
  ];
  const chosen = menu && rowFor(menu.id);
  const entries = chosen ? entriesOf(chosen) : [];

  if (rows.length === 0) return <p className={styles.hint}>{empty}</p>;
  return (
    <>
      <Tree
        label={label}
        rows={shown}
        renaming={editing}
        problemOf={() => null}
        onRenamed={(id, text) => void assign(id, text)}
        onOpen={open}
        onEdit={edit}
        editLabel="New value"
        onToggle={(id, expanded) => void tree.toggle(id, expanded)}
        onMenu={(id, at) => setMenu({ id, at })}
        onKey={onKey}
      />
      {menu && entries.length > 0 && <RowMenu at={menu.at} entries={entries} onClose={() => setMenu(null)} />}
    </>
  );
}

function rowOf(row: VariableRow): TreeRow {
  const { id, level, name, value, expanded, kind, isLazy, problem, type } = row;
  const shown = problem ?? (isLazy ? 'getter, not called' : value);
  return {
    id,
    level,
    label: shown === '' ? name : `${name}: ${shown}`,
    edited: value,
    readsContent: isLazy,
    expanded,
    content: (
      <span
        className={styles.variable}
        title={`${name}${type === '' ? '' : `: ${type}`}${shown === '' ? '' : `\n${shown}`}`}
      >
        <span data-sort={kind}>{name}</span>
        {shown !== '' && (
          <>
            <span>: </span>
            <span data-sort={problem !== null ? 'problem' : isLazy ? 'lazy' : sortOf(value)}>
              {isLazy ? '(…)' : shown}
            </span>
          </>
        )}
      </span>
    ),
  };
}

function sortOf(value: string): 'string' | 'number' | 'word' | 'object' {
  if (/^["'`]/.test(value)) return 'string';
  if (/^-?(?:\d|Infinity|NaN)/.test(value)) return 'number';
  return /^(?:true|false|null|undefined)$/.test(value) ? 'word' : 'object';
}
