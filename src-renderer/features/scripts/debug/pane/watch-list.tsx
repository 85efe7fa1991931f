import { useCallback, useState, type KeyboardEvent } from 'react';
import { problemOf } from '../../../../client/errors.ts';
import { useStore } from '../../../../support/store.ts';
import { Button, Input } from '../../../../ui/fluent.ts';
import { AddRegular } from '../../../../ui/icons.ts';
import { useScripts } from '../../scripts-context.ts';
import type { RunDebugger } from '../model/debugger.ts';
import type { Root } from '../model/variable-tree.ts';
import { useEachStop } from './use-each-stop.ts';
import { useVariableTree, VariableRows } from './variables.tsx';
import styles from './debug.module.css';

/** Expressions whose values in the selected frame are shown at each stop. */
export function WatchList() {
  const { debug } = useScripts();
  const { debugger: session, watches } = debug;
  const expressions = useStore(watches.store);
  const tree = useVariableTree(session);
  const [typed, setTyped] = useState('');

  const read = useCallback(
    async (frame: number | null, signal: AbortSignal) => {
      const roots = await Promise.all(expressions.map((expression) => rootOf(session, expression, frame)));
      if (!signal.aborted) await tree.show(roots);
    },
    [session, tree, expressions],
  );
  useEachStop(session, read);

  const remove = (index: number) => {
    const expression = expressions[index];
    if (expression !== undefined) watches.remove(expression);
  };
  const onRootKey = (index: number, event: KeyboardEvent): boolean => {
    if (event.key !== 'Delete') return false;
    remove(index);
    return true;
  };
  return (
    <>
      {expressions.length > 0 && (
        <VariableRows
          label="Watched expressions"
          tree={tree}
          empty=""
          onRootKey={onRootKey}
          rootMenu={(index) => [{ title: 'Remove', keys: 'Delete', apart: true, run: () => remove(index) }]}
        />
      )}
      <form
        className={styles.addWatch}
        onSubmit={(event) => {
          event.preventDefault();
          watches.add(typed);
          setTyped('');
        }}
      >
        <Input
          size="small"
          className={styles.code}
          aria-label="Expression to watch"
          placeholder="Expression to watch"
          spellCheck={false}
          value={typed}
          onChange={(_event, { value }) => setTyped(value)}
        />
        <Button
          size="small"
          type="submit"
          appearance="subtle"
          icon={<AddRegular />}
          aria-label="Watch the expression"
          disabledFocusable={typed.trim() === ''}
        />
      </form>
    </>
  );
}

async function rootOf(session: RunDebugger, expression: string, frame: number | null): Promise<Root> {
  const root = { name: expression, type: '', kind: 'variable', isOpen: false, evaluateName: expression } as const;
  const none = { ref: 0, indexed: 0, named: 0 };
  if (frame === null) return { ...root, ...none, value: 'not available' };
  try {
    const value = await session.ask('evaluate', { expression, context: 'watch', frameId: frame });
    return {
      ...root,
      value: value.result,
      type: value.type ?? '',
      ref: value.variablesReference,
      indexed: value.indexedVariables ?? 0,
      named: value.namedVariables ?? 0,
    };
  } catch (error) {
    return { ...root, ...none, value: problemOf(error).message };
  }
}
