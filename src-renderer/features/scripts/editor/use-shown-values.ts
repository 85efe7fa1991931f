import { useEffect, useRef } from 'react';
import { useWorkbench } from '../../../frame/workbench.ts';
import { monaco } from './monaco.ts';

/** Widgets of the editor that Escape closes first. */
const CLOSED_FIRST = [
  'suggestWidgetVisible',
  'findWidgetVisible',
  'renameInputVisible',
  'parameterHintsVisible',
  'inSnippetMode',
  'editorHasMultipleSelections',
  'markersNavigationVisible',
  'referenceSearchVisible',
];

/** *Show values* in the menu of the editor, and Escape in the editor, which closes the shown values. */
export function useShownValues(
  editor: monaco.editor.IStandaloneCodeEditor | null,
  isShown: boolean,
  hide: () => void,
): void {
  const { commands } = useWorkbench();
  const current = useRef(hide);
  useEffect(() => {
    current.current = hide;
  });
  useEffect(() => {
    if (!editor) return undefined;
    const actions = [
      editor.addAction({
        id: 'values.show',
        label: 'Show values',
        keybindings: [monaco.KeyMod.Alt | monaco.KeyCode.KeyV],
        contextMenuGroupId: 'navigation',
        contextMenuOrder: 3,
        run: () => void commands.run('run.values'),
      }),
      editor.addAction({
        id: 'values.hide',
        label: 'Hide values',
        keybindings: [monaco.KeyCode.Escape],
        precondition: ['valuesShown', ...CLOSED_FIRST.map((name) => `!${name}`)].join(' && '),
        run: () => current.current(),
      }),
    ];
    return () => {
      for (const action of actions) action.dispose();
    };
  }, [editor, commands]);
  useEffect(() => {
    const key = editor?.createContextKey('valuesShown', isShown);
    return () => key?.reset();
  }, [editor, isShown]);
}
