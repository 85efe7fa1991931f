import { Fragment, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Command } from '../../../frame/palette/commands.ts';
import { changeEditorOptions, editorOptions, FONT_SIZE, lineHeightOf } from '../../../frame/editor-options.ts';
import { useCommands, useWorkbench } from '../../../frame/workbench.ts';
import { deferred } from '../../../ui/deferred.tsx';
import { Button } from '../../../ui/fluent.ts';
import { Kbd } from '../../../ui/text/kbd.tsx';
import { painted } from '../../../support/painted.ts';
import { useStore } from '../../../support/store.ts';
import { SourceView } from '../debug/editor/source-view.tsx';
import { useScriptActions } from '../explorer/use-script-actions.ts';
import { useRestore } from '../history/use-restore.ts';
import { type Doc, isDirty, isSaved, titleOf } from '../model/script-document.ts';
import { useScripts } from '../scripts-context.ts';
import { Details } from './details.tsx';
import { DocBars } from './doc-bars.tsx';
import { SaveDialog } from './save-dialog.tsx';
import { Tabs } from './tabs.tsx';
import { useSave } from './use-save.ts';
import styles from './editor.module.css';

// The view preloads it; it runs after the plain text is painted, which it would delay otherwise.
const CodeEditor = deferred<{ doc: Doc; active: boolean }>(async () => {
  await painted();
  return (await import('./code-editor.tsx')).CodeEditor;
}, PlainText);

const TagCheck = deferred(async () => (await import('./language/tag-check.tsx')).TagCheck);
const HistoryDialog = deferred(async () => (await import('../history/history-dialog.tsx')).HistoryDialog);

/** The tabs, the details and the text of the open script. */
export function EditorArea({ active: viewActive }: { active: boolean }) {
  const { notify, show } = useWorkbench();
  const { model, runs, live, reruns, editor, contexts, debug, capsules, lenses } = useScripts();
  const covered = useStore(debug.source) !== null;
  const { discard } = useScriptActions();
  const active = useStore(model.store, (state) => state.active);
  const tabs = useStore(model.store, (state) => state.tabs);
  const phase = useStore(model.store, (state) => state.phase);
  const doc = useStore(model.store, (state) => (state.active === null ? undefined : state.docs.get(state.active)));
  const [naming, setNaming] = useState<string | null>(null);

  const [history, setHistory] = useState(false);
  const save = useSave(setNaming);
  const restore = useRestore(save);

  const inDialog = history || naming !== null;
  const wasInDialog = useRef(false);
  // Together with the dialog: the next key belongs to the editor. Not in the cleanup of the effect, because
  // React then returns the focus to its former owner.
  useLayoutEffect(() => {
    if (wasInDialog.current && !inDialog) editor.get()?.focus();
    wasInDialog.current = inDialog;
  }, [inDialog, editor]);
  const close = (key: string) => {
    const closing = model.doc(key);
    model.close(key);
    if (!closing) return;
    runs.forget(closing.editor);
    live.forget(closing.editor);
    capsules.close(closing.editor);
    lenses.forget(closing.editor);
    reruns.turn(closing.editor, false);
    contexts.forget(closing);
    if (isDirty(closing)) {
      notify({
        intent: 'info',
        title: `“${titleOf(closing.text)}” is kept as a draft`,
        action: {
          label: 'Open',
          run: () => (closing.scriptId === null ? model.openDraft(key) : model.open(closing.scriptId)),
        },
      });
    }
  };
  const step = (by: number) => {
    const at = tabs.indexOf(active ?? '');
    const next = tabs[(at + by + tabs.length) % tabs.length];
    if (next === undefined) return;
    model.activate(next);
    editor.get()?.focus();
  };

  const section = 'Scripts';
  const open = viewActive && active !== null;
  useCommands([
    {
      id: 'scripts.save',
      section,
      title: 'Save the script',
      keys: 'Ctrl+S',
      enabled: open,
      run: async () => void (await save(active ?? '')),
    },
    {
      id: 'scripts.close',
      section,
      title: 'Close the tab',
      keys: 'Alt+W',
      enabled: open,
      run: () => close(active ?? ''),
    },
    { id: 'scripts.nextTab', section, title: 'Next tab', keys: 'Alt+PageDown', enabled: open, run: () => step(1) },
    {
      id: 'scripts.previousTab',
      section,
      title: 'Previous tab',
      keys: 'Alt+PageUp',
      enabled: open,
      run: () => step(-1),
    },
    {
      id: 'scripts.editor',
      section,
      title: 'Go to the editor',
      keys: 'Ctrl+Shift+L',
      enabled: active !== null,
      run: () => {
        // Synchronously: the next key may be for the text.
        flushSync(() => show('scripts'));
        editor.get()?.focus();
      },
    },
    ...editorOptionCommands(viewActive),
    {
      id: 'scripts.history',
      section,
      title: 'History of the script',
      keys: 'Alt+H',
      enabled: open && doc !== undefined && doc.scriptId !== null,
      run: () => setHistory(true),
    },
    {
      id: 'scripts.discard',
      section,
      title: 'Discard unsaved changes',
      enabled: open && doc !== undefined && isDirty(doc),
      run: () => void discard(active ?? ''),
    },
  ]);

  return (
    <section className={styles.area} aria-label="Editor" data-pane="editor" data-pane-main data-covered={covered}>
      <Tabs onClose={close} />
      {doc && active !== null ? (
        <>
          <Details
            key={doc.editor}
            doc={doc}
            active={viewActive}
            onSave={() => void save(active)}
            onHistory={() => setHistory(true)}
          />
          <DocBars doc={doc} onSave={() => void save(active)} onDiscard={() => void discard(active)} />
          {covered && <SourceView />}
          <CodeEditor doc={doc} active={viewActive} />
          <TagCheck text={doc.editor} active={viewActive} />
        </>
      ) : (
        phase === 'ready' && <NothingOpen onNew={() => model.create(model.store.get().groups[0] ?? '')} />
      )}
      {history && doc && isSaved(doc) && (
        <HistoryDialog
          doc={doc}
          onRestore={(version) => {
            setHistory(false);
            void restore(doc.key, version);
          }}
          onClose={() => setHistory(false)}
        />
      )}
      {naming !== null && <SaveDialog docKey={naming} onClose={() => setNaming(null)} onSave={save} />}
    </section>
  );
}

function NothingOpen({ onNew }: { onNew: () => void }) {
  return (
    <div className={styles.nothing} data-pane-focus>
      <h3>No script is open</h3>
      <p>
        Choose one on the left, press <Kbd keys="Ctrl+K" /> to find one by name, or create a new one.
      </p>
      <pre>{`const speed = TagValueManager.Get(['Root.Group.Tag.Property'], tagScopeDiagram, tagScopeLocation);
if (!speed.Success) return 0;
return speed.Value[0].Value;`}</pre>
      <Button appearance="primary" onClick={onNew}>
        New script
      </Button>
    </div>
  );
}

/** The text size and the word wrap of the editor. */
function editorOptionCommands(enabled: boolean): Command[] {
  const { wordWrap } = editorOptions.get();
  const section = 'Editor';
  const resize = (by: number) => changeEditorOptions({ fontSize: editorOptions.get().fontSize + by });
  return [
    {
      id: 'editor.wordWrap',
      section,
      title: wordWrap ? 'Turn word wrap off' : 'Turn word wrap on',
      keys: 'Alt+Z',
      enabled,
      run: () => changeEditorOptions({ wordWrap: !editorOptions.get().wordWrap }),
    },
    { id: 'editor.larger', section, title: 'Larger text', keys: 'Alt+=', enabled, run: () => resize(1) },
    { id: 'editor.smaller', section, title: 'Smaller text', keys: 'Alt+-', enabled, run: () => resize(-1) },
    {
      id: 'editor.usualSize',
      section,
      title: 'Reset the text size',
      keys: 'Alt+0',
      enabled,
      run: () => changeEditorOptions({ fontSize: FONT_SIZE.usual }),
    },
  ];
}

const MOST_LINES = 100;

/** The body as plain text, in the position and metrics of the editor, until the editor is loaded. */
function PlainText({ doc }: { doc: Doc }) {
  const lines = doc.text.body.split('\n', MOST_LINES);
  const options = editorOptions.get();
  const font = { fontSize: options.fontSize, lineHeight: `${lineHeightOf(options)}px` };
  return (
    <div className={styles.plain} style={font} aria-busy="true" data-plain-text data-wraps={options.wordWrap}>
      {[...lines.entries()].map(([index, line]) => (
        <Fragment key={index}>
          <div className={styles.plainNumber} aria-hidden="true">
            {index + 1}
          </div>
          <div className={styles.plainLine}>{line}</div>
        </Fragment>
      ))}
    </div>
  );
}
