import { useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useCopy } from '../../../../frame/use-copy.ts';
import { useStore } from '../../../../support/store.ts';
import { Button, Link } from '../../../../ui/fluent.ts';
import { DeleteRegular } from '../../../../ui/icons.ts';
import { Tree, type TreeRow } from '../../../../ui/lists/tree.tsx';
import { useScripts } from '../../scripts-context.ts';
import { ConsoleInput } from './console-input.tsx';
import type { ConsoleLine } from '../model/debugger-state.ts';
import type { RunDebugger } from '../model/debugger.ts';
import { VariableTree, type VariableRow } from '../model/variable-tree.ts';
import styles from './console.module.css';

/** The output of the debugged run, and expressions that are evaluated in the selected frame with their results. */
export function DebugConsole() {
  const { debug, editor } = useScripts();
  const { debugger: session } = debug;
  const lines = useStore(session.shown, (state) => state.console);
  const isPaused = useStore(session.shown, ({ phase }) => phase === 'paused');
  // The values of earlier stops no longer unfold.
  const stops = useStore(session.shown, (state) =>
    state.console.some(({ value }) => value !== null) ? state.stops : 0,
  );
  const copy = useCopy();
  const [unfolded, setUnfolded] = useState<ReadonlyMap<number, readonly VariableRow[]>>(() => new Map());
  const trees = useRef(new Map<number, VariableTree>());
  const rows = useMemo(
    () => lines.flatMap((line) => rowsOf(line, stops, unfolded.get(line.id), (to) => editor.get()?.goTo(to, 1))),
    [lines, stops, unfolded, editor],
  );

  const toggle = async (id: string, open: boolean) => {
    const number = Number(id.split(':')[0]);
    const path = id.slice(id.indexOf(':') + 1);
    const line = lines.find((one) => one.id === number);
    if (!line?.value) return;
    const tree = trees.current.get(number) ?? treeOf(session, line);
    trees.current.set(number, tree);
    if (id.includes(':')) await tree.toggle(path, open);
    else if (open)
      await tree.show([
        { name: '', type: '', kind: 'variable', isOpen: true, evaluateName: null, ...line.value, value: line.text },
      ]);
    const children = tree.store.get().slice(1);
    const next = new Map(unfolded);
    if (!open && !id.includes(':')) next.delete(number);
    else next.set(number, children);
    setUnfolded(next);
  };
  const onKey = (id: string, event: KeyboardEvent): boolean => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'c') return false;
    const line = lines.find((one) => one.id === Number(id.split(/[.:]/)[0]));
    if (line) void copy(line.text, 'The text was copied');
    return line !== undefined;
  };
  return (
    <section className={styles.console} aria-label="Debug console" data-pane="debug-console">
      <header className={styles.heading}>
        <h3>Console</h3>
        <Button
          size="small"
          appearance="subtle"
          icon={<DeleteRegular />}
          aria-label="Clear the debug console"
          title="Clear the debug console"
          onClick={() => session.clearConsole()}
        />
      </header>
      <Tree
        label="Output"
        rows={rows}
        follow={rows.at(-1)?.id ?? null}
        onToggle={(id, open) => void toggle(id, open)}
        onKey={onKey}
        empty={
          isPaused
            ? 'Type an expression or an assignment, such as speed = 12. It is evaluated in the selected frame.'
            : 'The output of the script, and of expressions while it is paused.'
        }
      />
      <ConsoleInput />
    </section>
  );
}

function treeOf(session: RunDebugger, line: ConsoleLine): VariableTree {
  return new VariableTree(async (args) => {
    if (line.value?.stop !== session.store.get().stops) throw new Error('The run has continued since.');
    return (await session.ask('variables', args)).variables;
  });
}

/** One row for each line of its text, and those of the unfolded object. */
function rowsOf(
  line: ConsoleLine,
  stops: number,
  children: readonly VariableRow[] | undefined,
  goTo: (line: number) => void,
): TreeRow[] {
  const [first = '', ...rest] = line.text.split('\n');
  const unfolds = line.value !== null && (line.value.stop === stops || children !== undefined);
  const textRow = (text: string, index: number): TreeRow => ({
    id: index === 0 ? String(line.id) : `${line.id}.${index}`,
    level: 1,
    label: `${PREFIXES[line.kind]}${text}`,
    expanded: index === 0 && unfolds ? children !== undefined : undefined,
    // With the link to the line.
    readsContent: index === 0 && line.line !== null,
    content: (
      <span className={styles.output} data-kind={line.kind}>
        {text}
      </span>
    ),
    after:
      index === 0 && line.line !== null ? (
        <Link className={styles.place} tabIndex={-1} onClick={() => goTo(line.line ?? 1)}>
          line {line.line}
        </Link>
      ) : undefined,
  });
  return [
    ...[first, ...rest].map(textRow),
    ...(children ?? []).map(({ id, level, name, value, expanded, problem }) => ({
      id: `${line.id}:${id}`,
      level,
      label: `${name}: ${problem ?? value}`,
      expanded,
      content: (
        <span className={styles.variable}>
          <span data-sort="variable">{name}</span>
          {value !== '' && `: ${problem ?? value}`}
        </span>
      ),
    })),
  ];
}

const PREFIXES: Readonly<Record<ConsoleLine['kind'], string>> = {
  output: '',
  error: 'error: ',
  log: '',
  input: '> ',
  result: '',
  failed: 'error: ',
};
