import { type DebuggerState, shownFrame } from '../model/debugger-state.ts';
import type { LineBreakpoint, Placement } from '../model/breakpoints.ts';
import { expressionAt } from '../model/expression-at.ts';
import { BreakpointMarks } from './breakpoint-marks.ts';
import { fenced } from '../../editor/fenced.ts';
import { markedLine } from '../../editor/run-marks.ts';
import { monaco } from '../../editor/monaco.ts';

interface Actions {
  toggle: (line: number) => void;
  /** Opens the menu of the gutter. */
  menu: (line: number, at: { x: number; y: number }) => void;
  moved: (lines: ReadonlyMap<number, number | null>) => void;
  /** The value of an expression, and its first members, as text; null if it has none. */
  valueOf: (expression: string) => Promise<{ text: string; members: readonly string[] } | null>;
}

/** Breakpoints, the current line, and values on hover in the editor of a script. */
export class EditorDebug {
  readonly #editor: monaco.editor.IStandaloneCodeEditor;
  readonly #breakpoints = new BreakpointMarks();
  readonly #hint: monaco.editor.IEditorDecorationsCollection;
  readonly #paused: monaco.editor.IEditorDecorationsCollection;
  readonly #parts: monaco.IDisposable[];
  #length = 0;
  #frame: string | null = null;
  /** The text of the selected frame; values are shown there only. */
  #pausedIn: monaco.editor.ITextModel | null = null;

  constructor(editor: monaco.editor.IStandaloneCodeEditor, actions: Actions) {
    this.#editor = editor;
    this.#hint = editor.createDecorationsCollection();
    this.#paused = editor.createDecorationsCollection();
    const { GUTTER_GLYPH_MARGIN } = monaco.editor.MouseTargetType;
    this.#parts = [
      editor.onMouseDown(({ target, event }) => {
        const line = target.position?.lineNumber;
        if (target.type !== GUTTER_GLYPH_MARGIN || line === undefined || target.detail.isAfterLines) return;
        if (event.leftButton) actions.toggle(line);
      }),
      editor.onContextMenu(({ target, event }) => {
        const line = target.position?.lineNumber;
        if (target.type !== GUTTER_GLYPH_MARGIN || line === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        actions.menu(line, { x: event.browserEvent.clientX, y: event.browserEvent.clientY });
      }),
      editor.onMouseMove(({ target }) => {
        const line = target.type === GUTTER_GLYPH_MARGIN ? target.position.lineNumber : null;
        this.#hint.set(line === null ? [] : [hintAt(line)]);
      }),
      editor.onMouseLeave(() => this.#hint.clear()),
      editor.onDidChangeModel(() => {
        this.#length = editor.getModel()?.getValueLength() ?? 0;
        this.#frame = null;
      }),
      editor.onDidChangeModelContent(({ changes, isFlush }) => {
        const model = editor.getModel();
        if (!model) return;
        const before = this.#length;
        this.#length = model.getValueLength();
        // A whole other text, such as a former version: the lines stay.
        if (isFlush || changes.some(({ rangeLength }) => rangeLength > 0 && rangeLength === before)) return;
        actions.moved(this.#breakpoints.lines(model));
      }),
      monaco.languages.registerHoverProvider('javascript', {
        provideHover: async (model, position) => {
          if (model !== this.#pausedIn) return null;
          const found = expressionAt(model.getLineContent(position.lineNumber), position.column);
          const value = found && (await actions.valueOf(found.text));
          if (!found || !value) return null;
          const { lineNumber } = position;
          return {
            range: new monaco.Range(lineNumber, found.startColumn, lineNumber, found.endColumn),
            contents: [
              { value: fenced(`${found.text} = ${value.text}`) },
              ...(value.members.length > 0 ? [{ value: fenced(value.members.join('\n')) }] : []),
            ],
          };
        },
      }),
    ];
  }

  /** Shows the breakpoints of the current text. */
  showBreakpoints(breakpoints: readonly LineBreakpoint[], placements: ReadonlyMap<number, Placement>): void {
    const model = this.#editor.getModel();
    if (!model) return;
    this.#length = model.getValueLength();
    this.#breakpoints.show(model, breakpoints, placements);
  }

  /** Marks the line of the selected frame, if it is in the current text, which has this key. */
  showFrame(state: DebuggerState, key: string, breakpoints: readonly LineBreakpoint[]): void {
    const shown = shownFrame(state);
    const model = this.#editor.getModel();
    const own = state.frames.filter(({ source }) => shown && source?.path === shown.frame.source?.path);
    if (!shown || !model || shown.key !== key || own.length === 0) {
      this.#paused.clear();
      this.#pausedIn = null;
      this.#frame = null;
      return;
    }
    const line = Math.min(Math.max(1, shown.frame.line), model.getLineCount());
    // One glyph for both: the editor shows one in each line.
    const isBreakpoint = breakpoints.some((breakpoint) => breakpoint.line === line);
    const isTop = state.frames[0]?.id === shown.frame.id;
    this.#paused.set(
      markedLine(line, {
        className: isTop ? 'debug-line' : 'debug-line debug-line-caller',
        glyphMarginClassName: [
          'codicon codicon-debug-stackframe debug-frame',
          isTop ? '' : 'debug-frame-caller',
          isBreakpoint ? 'debug-frame-breakpoint' : '',
        ].join(' '),
        hover: isTop ? 'The run is paused here.' : 'This frame waits for the one above it.',
        overviewRuler: { color: '#b58900', position: monaco.editor.OverviewRulerLane.Full },
        zIndex: 20,
      }),
    );
    this.#pausedIn = model;
    const frame = `${state.stops}:${shown.frame.id}`;
    if (frame === this.#frame) return;
    this.#frame = frame;
    this.#editor.revealLineInCenterIfOutsideViewport(line);
  }

  /** The line of the cursor. */
  line(): number | null {
    return this.#editor.getPosition()?.lineNumber ?? null;
  }

  dispose(): void {
    for (const part of this.#parts) part.dispose();
    this.#hint.clear();
    this.#paused.clear();
  }
}

function hintAt(line: number): monaco.editor.IModelDeltaDecoration {
  return {
    range: new monaco.Range(line, 1, line, 1),
    options: { glyphMarginClassName: 'codicon codicon-debug-hint breakpoint-hint', zIndex: 1 },
  };
}
