import type { DebugSessionSummary } from '#domain/run/debug';
import { useStore } from '../../../../support/store.ts';
import { Tree, type TreeRow } from '../../../../ui/lists/tree.tsx';
import { keyOfScript } from '../../model/script-document.ts';
import { useScripts } from '../../scripts-context.ts';
import styles from './debug.module.css';

/** The debugged runs of other windows and of *Break in all runs*. Enter follows one while this window debugs none. */
export function SessionList() {
  const { debug, model } = useScripts();
  const { debugger: session, sessions } = debug;
  const all = useStore(sessions.store, (state) => state.sessions);
  const isActive = useStore(session.shown, (state) => state.phase !== 'none' && state.phase !== 'ended');
  const others = othersOf(all, session.id);
  if (isActive) return <p className={styles.hint}>Stop this run to debug another one.</p>;
  const attach = (id: string) => {
    const chosen = others.find((one) => one.session === id);
    if (!chosen) return;
    const key = chosen.scriptId === null ? `attached-${id}` : keyOfScript(chosen.scriptId);
    void session.attach(id, {
      key,
      scriptId: chosen.scriptId,
      name: chosen.name,
      body: model.doc(key)?.text.body ?? '',
      context: { tagName: chosen.tag, tagScopeDiagram: null, tagScopeLocation: null },
      dryRun: false,
    });
  };
  return (
    <Tree
      label="Other debugged runs"
      rows={others.map(rowOf)}
      onOpen={attach}
      onToggle={() => {}}
      onKey={() => false}
    />
  );
}

/** The other sessions that can be followed. */
export function othersOf(all: readonly DebugSessionSummary[], own: string | null): DebugSessionSummary[] {
  return all.filter(({ session, state }) => session !== own && (state === 'running' || state === 'paused'));
}

function rowOf({ session, name, state, tag }: DebugSessionSummary): TreeRow {
  return {
    id: session,
    level: 1,
    label: [name, tag, state].filter((part) => part !== '').join(', '),
    readsContent: true,
    content: (
      <span className={styles.frame}>
        <span className={styles.frameName}>{name}</span>{' '}
        <span className={styles.framePlace}>{[tag, state].filter((part) => part !== '').join(' · ')}</span>
      </span>
    ),
  };
}
