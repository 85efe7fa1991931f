import { keyOfScript } from './model/script-document.ts';
import type { EditorHandle, Scripts } from './scripts-context.ts';

/**
 * Opens a saved script and moves the cursor to a line (from 1; null: unchanged) as soon as the editor is loaded.
 * Rejects with NOT_FOUND if the script does not exist.
 */
export async function openAt(
  { model, editor }: Pick<Scripts, 'model' | 'editor'>,
  id: number,
  line: number | null,
  column = 1,
): Promise<void> {
  await model.open(id);
  const key = model.doc(keyOfScript(id))?.editor;
  if (key === undefined) return;
  // In the next turn, after the tab is rendered.
  const go = (handle: EditorHandle) =>
    setTimeout(() => (line === null ? handle.focus() : handle.goTo(line, column, key)), 0);
  const handle = editor.get();
  if (handle) {
    go(handle);
    return;
  }
  const forget = editor.subscribe(() => {
    const loaded = editor.get();
    if (!loaded) return;
    forget();
    go(loaded);
  });
}
