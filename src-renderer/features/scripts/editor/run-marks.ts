import type { Ended } from '../model/runs.ts';
import { monaco } from './monaco.ts';

const OWNER = 'run';

/** How a marked line looks: the options of the decorations of the editor. */
interface LineLook {
  className: string;
  glyphMarginClassName: string;
  /** The tooltip of the glyph, as plain text. */
  hover: string;
  overviewRuler?: monaco.editor.IModelDecorationOverviewRulerOptions;
  /** Which glyph is shown if a line has several: that of the highest one. */
  zIndex?: number;
}

/** A marked line: the whole line, and a glyph on its first row only, even if it is wrapped. */
export function markedLine(
  line: number,
  { className, glyphMarginClassName, hover, overviewRuler, zIndex = 0 }: LineLook,
): monaco.editor.IModelDeltaDecoration[] {
  const range = new monaco.Range(line, 1, line, 1);
  const stickiness = monaco.editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges;
  const whole = { isWholeLine: true, className, ...(overviewRuler && { overviewRuler }) };
  const glyph = { glyphMarginClassName, glyphMarginHoverMessage: { value: hover } };
  return [whole, glyph].map((options) => ({ range, options: { ...options, stickiness, zIndex } }));
}

/** Marks where the last run failed, until the next run. The mark moves with the text. */
export class RunMarks {
  readonly #lines = new WeakMap<monaco.editor.ITextModel, { last: Ended | null; ids: string[] }>();

  show(model: monaco.editor.ITextModel, last: Ended | null): void {
    const before = this.#lines.get(model);
    if ((before?.last ?? null) === last) return;
    const error = last?.outcome.kind === 'report' ? last.outcome.report.error : null;
    const line = error?.line ?? null;
    const here = line !== null && line <= model.getLineCount();
    const column = here ? Math.min(error?.column ?? 1, model.getLineMaxColumn(line)) : 1;
    const word = here ? model.getWordAtPosition({ lineNumber: line, column }) : null;
    monaco.editor.setModelMarkers(
      model,
      OWNER,
      here && error
        ? [
            {
              severity: monaco.MarkerSeverity.Error,
              message: `${error.name}: ${error.message}`,
              source: last?.live ? 'live run' : 'last run',
              startLineNumber: line,
              startColumn: column,
              endLineNumber: line,
              endColumn: word?.endColumn ?? model.getLineMaxColumn(line),
            },
          ]
        : [],
    );
    const ids = model.deltaDecorations(
      before?.ids ?? [],
      here
        ? markedLine(line, {
            className: 'run-error-line',
            glyphMarginClassName: 'run-error-glyph codicon codicon-error',
            hover: last?.live ? 'The live run failed here.' : 'The last run failed here.',
          })
        : [],
    );
    this.#lines.set(model, { last, ids });
  }
}

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
    this.#shown.set(
      markedLine(line, {
        className: 'debug-line',
        glyphMarginClassName: 'codicon codicon-debug-stackframe debug-frame',
        hover: 'The current step of the replay.',
        zIndex: 20,
      }),
    );
    this.#editor.revealLineInCenterIfOutsideViewport(line);
  }
}
