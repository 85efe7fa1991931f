import { lineValues, noteLines, type LineValue } from '../model/line-values.ts';
import type { Ended } from '../model/runs.ts';
import { fenced } from './fenced.ts';
import { monaco } from './monaco.ts';

/** The run whose values a text shows: the last one, or the one of *Show values*, until that is closed. */
export interface ValuesSource {
  last: Ended | null;
  noted: Ended | null;
  /** The number formats of tags. */
  formats: ReadonlyMap<string, string>;
}

interface ShownTexts extends ValuesSource {
  /** By the id of the decoration: the text of its line. */
  lines: Map<string, string>;
}

/**
 * Values of a run at the ends of their lines: what it read and wrote, or what its variables became. A value moves with its
 * line. One that was read or written disappears when the text of the line changes, because it is stale then.
 */
export class RunValues {
  readonly #shown = new WeakMap<monaco.editor.ITextModel, ShownTexts>();

  /** Shows a run in its text; of a run without noted values, nothing if the text has changed. */
  show(model: monaco.editor.ITextModel, source: ValuesSource): void {
    const before = this.#shown.get(model);
    const { noted, last, formats } = source;
    const ended = noted ?? last;
    const isSame = ended !== null && (before?.noted ?? before?.last) === ended && (before?.noted ?? null) === noted;
    if (isSame && (before?.formats === formats || !isBody(model, ended.body))) return;
    const report = ended?.outcome.kind === 'report' ? ended.outcome.report : null;
    if (!ended || !report || (!noted && !isBody(model, ended.body))) return this.#clear(model);
    const lines = noted?.values ? noteLines(noted.values.values, report, formats) : lineValues(report, formats);
    const values = lines.filter(({ line }) => line <= model.getLineCount());
    const ids = model.deltaDecorations(
      [...(before?.lines.keys() ?? [])],
      values.map((value) => decorationOf(model, value)),
    );
    const texts = new Map(ids.map((id, index) => [id, model.getLineContent(values[index]?.line ?? 1)]));
    this.#shown.set(model, { ...source, lines: texts });
  }

  /** Must be called after the text has changed. */
  changed(model: monaco.editor.ITextModel): void {
    const shown = this.#shown.get(model);
    if (!shown || shown.noted) return;
    const gone = [...shown.lines].filter(([id, text]) => {
      const range = model.getDecorationRange(id);
      return range === null || model.getLineContent(range.startLineNumber) !== text;
    });
    model.deltaDecorations(
      gone.map(([id]) => id),
      [],
    );
    for (const [id] of gone) shown.lines.delete(id);
  }

  #clear(model: monaco.editor.ITextModel): void {
    const shown = this.#shown.get(model);
    if (shown) model.deltaDecorations([...shown.lines.keys()], []);
    this.#shown.delete(model);
  }
}

function decorationOf(
  model: monaco.editor.ITextModel,
  { line, text, whole }: LineValue,
): monaco.editor.IModelDeltaDecoration {
  const end = model.getLineMaxColumn(line);
  return {
    range: new monaco.Range(line, end, line, end),
    options: {
      after: {
        content: `\u2003\u2003${text}`,
        inlineClassName: 'run-value',
        cursorStops: monaco.editor.InjectedTextCursorStops.None,
      },
      showIfCollapsed: true,
      ...(whole !== undefined && { hoverMessage: { value: fenced(whole) } }),
      stickiness: monaco.editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges,
    },
  };
}

const isBody = (model: monaco.editor.ITextModel, body: string): boolean =>
  model.getValue(monaco.editor.EndOfLinePreference.LF) === body.replaceAll(/\r\n?/g, '\n');
