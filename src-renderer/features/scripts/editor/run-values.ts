import { lineValues } from '../model/line-values.ts';
import type { Ended } from '../model/runs.ts';
import { monaco } from './monaco.ts';

interface ShownValues {
  ended: Ended;
  formats: ReadonlyMap<string, string>;
  /** By the id of the decoration: the text of its line. */
  lines: Map<string, string>;
}

/**
 * The values that the last run read and wrote, at the ends of their lines. A value moves with its line, and disappears
 * when the text of the line changes, because it is stale then.
 */
export class RunValues {
  readonly #shown = new WeakMap<monaco.editor.ITextModel, ShownValues>();

  /** Shows a run in its text, with the number formats of tags; nothing if the text has changed. */
  show(model: monaco.editor.ITextModel, ended: Ended | null, formats: ReadonlyMap<string, string>): void {
    const before = this.#shown.get(model);
    const isSame = ended !== null && before?.ended === ended;
    if (isSame && (before?.formats === formats || !isBody(model, ended.body))) return;
    const report = ended?.outcome.kind === 'report' ? ended.outcome.report : null;
    if (!ended || !report || !isBody(model, ended.body)) return this.#clear(model);
    const values = lineValues(report, formats).filter(({ line }) => line <= model.getLineCount());
    const ids = model.deltaDecorations(
      [...(before?.lines.keys() ?? [])],
      values.map(({ line, text }) => ({
        range: new monaco.Range(line, model.getLineMaxColumn(line), line, model.getLineMaxColumn(line)),
        options: {
          after: {
            content: `\u2003\u2003${text}`,
            inlineClassName: 'run-value',
            cursorStops: monaco.editor.InjectedTextCursorStops.None,
          },
          showIfCollapsed: true,
          stickiness: monaco.editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges,
        },
      })),
    );
    const lines = new Map(ids.map((id, index) => [id, model.getLineContent(values[index]?.line ?? 1)]));
    this.#shown.set(model, { ended, formats, lines });
  }

  /** Must be called after the text has changed. */
  changed(model: monaco.editor.ITextModel): void {
    const shown = this.#shown.get(model);
    if (!shown) return;
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

const isBody = (model: monaco.editor.ITextModel, body: string): boolean =>
  model.getValue(monaco.editor.EndOfLinePreference.LF) === body.replaceAll(/\r\n?/g, '\n');
