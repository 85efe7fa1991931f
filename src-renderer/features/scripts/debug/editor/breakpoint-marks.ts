import { isMoved, stateText } from '../model/breakpoint-text.ts';
import { type LineBreakpoint, type Placement, kindOf, optionsText } from '../model/breakpoints.ts';
import { monaco } from '../../editor/monaco.ts';

const GLYPHS = {
  plain: 'codicon-debug-breakpoint',
  conditional: 'codicon-debug-breakpoint-conditional',
  log: 'codicon-debug-breakpoint-log',
} as const;

/** Shows the breakpoints of a text next to its line numbers; they move with the text. */
export class BreakpointMarks {
  /** By text: the ids of breakpoints, by those of their decorations. */
  readonly #shown = new WeakMap<monaco.editor.ITextModel, Map<string, number>>();

  show(
    model: monaco.editor.ITextModel,
    breakpoints: readonly LineBreakpoint[],
    placements: ReadonlyMap<number, Placement>,
  ): void {
    const before = this.#shown.get(model);
    const ids = model.deltaDecorations(
      [...(before?.keys() ?? [])],
      breakpoints.map((breakpoint) => {
        const line = Math.min(breakpoint.line, model.getLineCount());
        return {
          range: new monaco.Range(line, 1, line, 1),
          options: {
            glyphMarginClassName: glyphOf(breakpoint, placements.get(breakpoint.id)),
            glyphMarginHoverMessage: { value: hoverOf(breakpoint, placements.get(breakpoint.id)) },
            stickiness: monaco.editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges,
            zIndex: 10,
          },
        };
      }),
    );
    this.#shown.set(model, new Map(ids.map((id, index) => [id, breakpoints[index]?.id ?? 0])));
  }

  /** The lines of the breakpoints after an edit, by their ids; null if the text was deleted. */
  lines(model: monaco.editor.ITextModel): Map<number, number | null> {
    const shown = [...(this.#shown.get(model) ?? [])];
    return new Map(shown.map(([mark, id]) => [id, model.getDecorationRange(mark)?.startLineNumber ?? null]));
  }
}

function glyphOf(breakpoint: LineBreakpoint, placement: Placement | undefined): string {
  const { enabled } = breakpoint;
  const state = !enabled
    ? 'off'
    : placement?.verified === false
      ? 'unverified'
      : isMoved(breakpoint, placement)
        ? 'moved'
        : 'on';
  return `codicon ${GLYPHS[kindOf(breakpoint)]} breakpoint breakpoint-${state}`;
}

function hoverOf(breakpoint: LineBreakpoint, placement: Placement | undefined): string {
  const name = { plain: 'Breakpoint', conditional: 'Conditional breakpoint', log: 'Log point' }[kindOf(breakpoint)];
  const options = optionsText(breakpoint);
  const lead = options === '' ? name : `${name}: \`${options.replaceAll('`', "'")}\``;
  return [lead, stateText(breakpoint, placement)].filter((part) => part !== '').join('. ');
}
