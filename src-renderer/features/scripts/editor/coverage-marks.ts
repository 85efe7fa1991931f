import type { Coverage } from '#domain/run/coverage';
import { coverageByLine, type LineState, stateOfLine } from '#domain/run/coverage';
import { monaco } from './monaco.ts';

const MEANINGS: Readonly<Record<LineState, string>> = {
  all: 'Run by the tests.',
  some: 'Run by the tests in part.',
  none: 'Not run by the tests.',
};

/** Marks the lines next to their numbers: run by the tests, in part, or not. */
export class CoverageMarks {
  readonly #shown = new WeakMap<monaco.editor.ITextModel, { coverage: Coverage | null; ids: string[] }>();

  show(model: monaco.editor.ITextModel, coverage: Coverage | null): void {
    const before = this.#shown.get(model);
    if ((before?.coverage ?? null) === coverage) return;
    const lines = coverage ? [...coverageByLine(coverage)] : [];
    const ids = model.deltaDecorations(
      before?.ids ?? [],
      lines
        .filter(([line]) => line <= model.getLineCount())
        .map(([line, one]) => {
          const state = stateOfLine(one);
          return {
            range: new monaco.Range(line, 1, line, 1),
            options: {
              linesDecorationsClassName: `coverage-line coverage-${state}`,
              linesDecorationsTooltip: MEANINGS[state],
              stickiness: monaco.editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges,
            },
          };
        }),
    );
    this.#shown.set(model, { coverage, ids });
  }
}
