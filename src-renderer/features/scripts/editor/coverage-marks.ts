import { type Coverage, coverageByLine, type LineState, stateOfLine } from '#domain/run/coverage';
import { runsByLine, skippedParts } from '#domain/run/shown-values';
import type { RunValueNotes } from '../model/runs.ts';
import { monaco } from './monaco.ts';

const MEANINGS: Readonly<Record<LineState, string>> = {
  all: 'Run by the tests.',
  some: 'Partly run by the tests.',
  none: 'Not run by the tests.',
};

interface LineMark {
  line: number;
  state: LineState;
  meaning: string;
}

interface ShownMarks {
  coverage: Coverage | null;
  noted: RunValueNotes | null;
  ids: string[];
}

/** Marks the lines next to their numbers: run, in part, or not. Also the parts of lines that did not run. */
export class CoverageMarks {
  readonly #shown = new WeakMap<monaco.editor.ITextModel, ShownMarks>();

  /** What the tests have run; in its place, what the run of *Show values* has run. */
  show(model: monaco.editor.ITextModel, coverage: Coverage | null, noted: RunValueNotes | null): void {
    const before = this.#shown.get(model);
    const isSame = (before?.noted ?? null) === noted && (noted !== null || (before?.coverage ?? null) === coverage);
    if (isSame) return;
    const marks = noted ? marksOfRun(noted) : coverage ? marksOfTests(coverage) : [];
    const ids = model.deltaDecorations(before?.ids ?? [], [
      ...marks.filter(({ line }) => line <= model.getLineCount()).map(decorationOf),
      ...(noted ? skippedIn(noted) : []),
    ]);
    this.#shown.set(model, { coverage, noted, ids });
  }
}

function marksOfTests(coverage: Coverage): LineMark[] {
  return [...coverageByLine(coverage)].map(([line, one]) => {
    const state = stateOfLine(one);
    return { line, state, meaning: MEANINGS[state] };
  });
}

function marksOfRun({ parts }: RunValueNotes): LineMark[] {
  return [...runsByLine(parts)].map(([line, { state, count }]) => {
    const times = count === 1 ? 'once' : `${count.toLocaleString('en')} times`;
    const meaning = state === 'none' ? 'Did not run.' : state === 'all' ? `Ran ${times}.` : `Ran ${times}, in part.`;
    return { line, state, meaning };
  });
}

function decorationOf({ line, state, meaning }: LineMark): monaco.editor.IModelDeltaDecoration {
  return {
    range: new monaco.Range(line, 1, line, 1),
    options: {
      linesDecorationsClassName: `coverage-line coverage-${state}`,
      linesDecorationsTooltip: meaning,
      stickiness: monaco.editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges,
    },
  };
}

function skippedIn({ parts }: RunValueNotes): monaco.editor.IModelDeltaDecoration[] {
  return skippedParts(parts).map(({ line, column, endLine, endColumn }) => ({
    range: new monaco.Range(line, column, endLine, endColumn),
    options: {
      inlineClassName: 'not-run',
      stickiness: monaco.editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges,
    },
  }));
}
