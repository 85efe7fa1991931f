import { monaco } from './monaco.ts';

/** Marks the line of the current step of a replay, like the line of a paused run. */
export class StepMark {
  readonly #editor: monaco.editor.ICodeEditor;
  readonly #shown: monaco.editor.IEditorDecorationsCollection;

  constructor(editor: monaco.editor.ICodeEditor) {
    this.#editor = editor;
    this.#shown = editor.createDecorationsCollection();
  }

  /** Null for no mark. A line that is outside of the visible part is shown in its center. */
  show(line: number | null): void {
    const count = this.#editor.getModel()?.getLineCount() ?? 0;
    if (line === null || line > count) return this.#shown.clear();
    this.#shown.set([
      {
        range: new monaco.Range(line, 1, line, 1),
        options: {
          isWholeLine: true,
          className: 'debug-line',
          glyphMarginClassName: 'codicon codicon-debug-stackframe debug-frame',
          glyphMarginHoverMessage: { value: 'The current step of the replay.' },
          zIndex: 20,
        },
      },
    ]);
    this.#editor.revealLineInCenterIfOutsideViewport(line);
  }
}
