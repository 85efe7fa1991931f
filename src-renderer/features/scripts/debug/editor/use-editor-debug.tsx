import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useCommands } from '../../../../frame/workbench.ts';
import { useStore } from '../../../../support/store.ts';
import { RowMenu, type MenuEntry } from '../../../../ui/lists/row-menu.tsx';
import type { monaco } from '../../editor/monaco.ts';
import type { Doc } from '../../model/script-document.ts';
import { useScripts } from '../../scripts-context.ts';
import { BreakpointDialog } from './breakpoint-dialog.tsx';
import { EditorDebug } from './editor-debug.ts';
import type { RunDebugger } from '../model/debugger.ts';
import { PLAIN } from '../model/breakpoints.ts';

const SECTION = 'Debug';
const MOST_MEMBERS = 20;

/** Connects the editor to the debugger: breakpoints of the open text, the current line, and commands of a line. */
export function useEditorDebug(
  editor: monaco.editor.IStandaloneCodeEditor | null,
  doc: Doc,
  active: boolean,
): ReactNode {
  const { debug, editor: handle } = useScripts();
  const { breakpoints, debugger: session, editing } = debug;
  const { key } = doc;
  const own = useStore(breakpoints.store, (all) => all.get(key));
  const placements = useStore(breakpoints.placements);
  const isPaused = useStore(session.shown, ({ phase }) => phase === 'paused');
  const edited = useStore(editing);
  const [menu, setMenu] = useState<{ line: number; at: { x: number; y: number } } | null>(null);
  const [inEditor, setInEditor] = useState<EditorDebug | null>(null);
  const current = useRef(key);
  useEffect(() => {
    current.current = key;
  });

  useEffect(() => {
    if (!editor) return undefined;
    const created = new EditorDebug(editor, {
      toggle: (line) => breakpoints.toggle(current.current, line),
      menu: (line, at) => setMenu({ line, at }),
      moved: (lines) => breakpoints.move(current.current, lines),
      valueOf: (expression) => valueOf(session, expression),
    });
    setInEditor(created);
    return () => {
      created.dispose();
      setInEditor(null);
    };
  }, [editor, breakpoints, session]);
  // The first save gives the script another key.
  useEffect(() => breakpoints.rename(doc.editor, key), [breakpoints, doc.editor, key]);
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the editor shows another text
  useEffect(() => inEditor?.showBreakpoints(own ?? [], placements), [inEditor, own, placements, key]);
  useEffect(() => {
    if (!inEditor) return undefined;
    const show = () => inEditor.showFrame(session.shown.get(), key, own ?? []);
    show();
    return session.shown.subscribe(show);
  }, [inEditor, session, key, own]);

  const atCursor = (run: (line: number) => void) => () => {
    const line = inEditor?.line();
    if (line) run(line);
  };
  const edit = (line: number) => editing.set({ key, line });
  useCommands([
    {
      id: 'debug.toggle',
      section: SECTION,
      title: 'Add or remove a breakpoint',
      keys: 'F9',
      enabled: active && inEditor !== null,
      run: atCursor((line) => breakpoints.toggle(key, line)),
    },
    {
      id: 'debug.edit',
      section: SECTION,
      title: 'Condition or log text of the breakpoint',
      keys: 'Shift+F9',
      enabled: active && inEditor !== null,
      run: atCursor(edit),
    },
    {
      id: 'debug.runToCursor',
      section: SECTION,
      title: 'Run to the cursor',
      keys: 'Ctrl+F10',
      enabled: active && isPaused && inEditor !== null,
      run: atCursor((line) => session.runToLine(key, line)),
    },
  ]);

  const close = () => {
    editing.set(null);
    handle.get()?.focus();
  };
  return (
    <>
      {menu && (
        <RowMenu
          at={menu.at}
          entries={menuOf(menu.line)}
          onClose={() => {
            setMenu(null);
            handle.get()?.focus();
          }}
        />
      )}
      {edited?.key === key && (
        <BreakpointDialog
          line={edited.line}
          options={breakpoints.at(key, edited.line) ?? PLAIN}
          onSubmit={(options) => {
            breakpoints.put(key, edited.line, options);
            close();
          }}
          onClose={close}
        />
      )}
    </>
  );

  function menuOf(line: number): MenuEntry[] {
    const known = breakpoints.at(key, line);
    const toLine = { title: 'Run to this line', apart: true, run: () => session.runToLine(key, line) };
    const rest = isPaused ? [toLine] : [];
    if (!known) {
      return [
        { title: 'Add a breakpoint', keys: 'F9', run: () => breakpoints.toggle(key, line) },
        { title: 'Add a conditional breakpoint or a log point…', keys: '⇧F9', run: () => edit(line) },
        ...rest,
      ];
    }
    const { id, enabled } = known;
    return [
      { title: 'Remove the breakpoint', keys: 'F9', run: () => breakpoints.remove(key, id) },
      { title: 'Edit the breakpoint…', keys: '⇧F9', run: () => edit(line) },
      {
        title: enabled ? 'Turn the breakpoint off' : 'Turn the breakpoint on',
        run: () => breakpoints.change(key, id, { enabled: !enabled }),
      },
      ...rest,
    ];
  }
}

async function valueOf(session: RunDebugger, expression: string) {
  const { frame } = session.store.get();
  if (frame === null) return null;
  try {
    const value = await session.ask('evaluate', { expression, context: 'hover', frameId: frame });
    const ref = value.variablesReference;
    if (ref === 0) return { text: value.result, members: [] };
    const { variables } = await session.ask('variables', { variablesReference: ref, start: 0, count: MOST_MEMBERS });
    const members = variables.slice(0, MOST_MEMBERS).map((one) => `${one.name}: ${one.value}`);
    const more = variables.length > MOST_MEMBERS || (value.indexedVariables ?? 0) > MOST_MEMBERS ? ['…'] : [];
    return { text: value.result, members: [...members, ...more] };
  } catch {
    // Names of other scopes and types have no value here.
    return null;
  }
}
