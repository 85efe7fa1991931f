import { keyOfScript } from './model/doc.ts';
import type { EditorHandle, Scripts } from './scripts-context.ts';

/**
 * Opens a saved script and puts the cursor into a line of it (from 1; null: where it was), as soon as the editor is
 * there. Rejects with NOT_FOUND where there is no such script.
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
  // In the next turn, when the tab has been drawn.
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
