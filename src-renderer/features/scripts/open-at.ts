import type { TextRange } from '../../frame/view.ts';
import { keyOfScript } from './model/script-document.ts';
import type { EditorHandle, Scripts } from './scripts-context.ts';

/**
 * Opens a script (its id, or the key of one that was never saved) and moves the cursor to a line (from 1; null:
 * unchanged), or selects a part of its body, as soon as the editor is loaded. Rejects with NOT_FOUND if the script does
 * not exist.
 */
export async function openAt(
  { model, editor }: Pick<Scripts, 'model' | 'editor'>,
  what: string | number,
  at: number | TextRange | null,
): Promise<void> {
  const opened = String(what).startsWith('new-') ? String(what) : keyOfScript(Number(what));
  await (opened === what ? model.openDraft(opened) : model.open(Number(what)));
  const key = model.doc(opened)?.editor;
  if (key === undefined) return;
  const [line, column, length] = typeof at === 'object' && at ? [at.line, at.column, at.end - at.start] : [at, 1, 0];
  // In the next turn, after the tab is rendered.
  const go = (handle: EditorHandle) =>
    setTimeout(() => (line === null ? handle.focus() : handle.goTo(line, column, key, length)), 0);
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
