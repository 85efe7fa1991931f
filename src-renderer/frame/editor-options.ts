import { remember, remembered } from '../support/local-storage.ts';
import { Store } from '../support/store.ts';

/** How the editor shows texts; of this browser profile. */
export interface EditorOptions {
  wordWrap: boolean;
  /** In px. */
  fontSize: number;
}

export const FONT_SIZE = { usual: 13, min: 8, max: 32 } as const;
/** Line height, as a multiple of the font size. */
const LINE = 20 / 13;
const MEMORY = 'editor.options';
const USUAL: EditorOptions = { wordWrap: true, fontSize: FONT_SIZE.usual };

export const editorOptions = new Store<EditorOptions>(checked(remembered<unknown>(MEMORY, USUAL)));

export function changeEditorOptions(change: Partial<EditorOptions>): void {
  const next = checked({ ...editorOptions.get(), ...change });
  remember(MEMORY, next);
  editorOptions.set(next);
}

/** In px. */
export function lineHeightOf({ fontSize }: EditorOptions): number {
  return Math.round(fontSize * LINE);
}

/** What an older or a newer version stored may be something else. */
function checked(stored: unknown): EditorOptions {
  if (typeof stored !== 'object' || stored === null) return USUAL;
  const wordWrap = !('wordWrap' in stored) || stored.wordWrap !== false;
  const size = 'fontSize' in stored && typeof stored.fontSize === 'number' ? Math.round(stored.fontSize) : NaN;
  const fontSize = Number.isFinite(size) ? Math.min(FONT_SIZE.max, Math.max(FONT_SIZE.min, size)) : USUAL.fontSize;
  return { wordWrap, fontSize };
}
