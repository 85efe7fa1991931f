import { useMemo, useState } from 'react';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { useStore } from '../../../../support/store.ts';
import { Tree, type TreeRow } from '../../../../ui/lists/tree.tsx';
import { useScripts } from '../../scripts-context.ts';
import { keyOfSource } from '../model/sources.ts';
import { titleOf } from '../../model/script-document.ts';
import styles from './debug.module.css';

/** The frames of the paused run with those of the runs that wait for it, innermost first. Enter selects one. */
export function CallStack() {
  const { debug, model } = useScripts();
  const { debugger: session } = debug;
  const current = useStore(session.shown, (state) => state.frames);
  const frame = useStore(session.shown, (state) => state.frame);
  const debuggee = useStore(session.shown, (state) => state.debuggee);
  // While the run continues, the frames of the last pause.
  const [frames, setFrames] = useState(current);
  if (current.length > 0 && current !== frames) setFrames(current);
  const docs = useStore(model.store, (state) => state.docs);
  const rows = useMemo(() => {
    const nameOf = (source: DebugProtocol.Source | undefined): string => {
      const doc = docs.get(keyOfSource(source, debuggee?.key ?? null) ?? '');
      return source?.name ?? (doc ? titleOf(doc.text) : (debuggee?.name ?? ''));
    };
    return frames.map((one, index) => rowOf(one, index, nameOf(one.source), one.id === frame));
  }, [frames, frame, debuggee, docs]);
  return (
    <Tree
      label="Call stack"
      rows={rows}
      onOpen={(id) => {
        const chosen = current[Number(id)];
        if (chosen) session.selectFrame(chosen.id);
      }}
      onToggle={() => {}}
      onKey={() => false}
    />
  );
}

function rowOf(
  { name, line, presentationHint }: DebugProtocol.StackFrame,
  index: number,
  script: string,
  selected: boolean,
): TreeRow {
  // The whole body has the name of its script.
  const short = script.split('/').at(-1) ?? '';
  const place = name === script ? `line ${line}` : `${short}:${line}`;
  return {
    // The same at the next stop, so that a step changes only texts.
    id: String(index),
    level: 1,
    label: name === script ? `${name}, ${place}` : `${name}, ${script}, line ${line}`,
    readsContent: true,
    selected,
    content: (
      <span className={styles.frame} data-hint={presentationHint}>
        <span className={styles.frameName}>{name}</span> <span className={styles.framePlace}>{place}</span>
      </span>
    ),
  };
}
