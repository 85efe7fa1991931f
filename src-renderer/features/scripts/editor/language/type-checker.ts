import { monaco, ts } from '../monaco.ts';

const OWNER = 'types';
/** One line, so that a line in the shadow text is one more than in the body. */
const BEFORE = 'async function body() {\n';
const AFTER = '\n}';
/** For the language to be registered. */
const TRY_MS = 50;
const MOST_TRIES = 200;

/**
 * Checks the types of script bodies. TypeScript rejects `return` outside a function, so a second, hidden text holds the
 * body inside one; its problems are marked in the editor. The hidden text is reused: a new one with the same name would
 * get the results of the former one.
 */
export class TypeChecker {
  readonly #shadow = monaco.editor.createModel('', 'javascript', monaco.Uri.parse('file:///shadow/body.js'));
  #checking: Promise<void> = Promise.resolve();

  check(model: monaco.editor.ITextModel): void {
    this.#checking = this.#checking
      .then(() => this.#check(model))
      .catch((error: unknown) => {
        console.warn('The types of the script could not be checked.', error);
      });
  }

  dispose(): void {
    this.#shadow.dispose();
  }

  async #check(model: monaco.editor.ITextModel): Promise<void> {
    if (model.isDisposed() || this.#shadow.isDisposed()) return;
    const version = model.getVersionId();
    this.#shadow.setValue(`${BEFORE}${model.getValue(monaco.editor.EndOfLinePreference.LF)}${AFTER}`);
    const workers = await this.#workers();
    if (this.#shadow.isDisposed()) return;
    const worker = await workers(this.#shadow.uri);
    const found = await worker.getSemanticDiagnostics(this.#shadow.uri.toString());
    if (model.isDisposed() || this.#shadow.isDisposed() || model.getVersionId() !== version) return;
    monaco.editor.setModelMarkers(
      model,
      OWNER,
      found.map((diagnostic) => this.#markerOf(diagnostic)),
    );
  }

  /** Monaco rejects a request for its workers until it has registered the language. */
  async #workers(): ReturnType<typeof ts.getJavaScriptWorker> {
    for (let tries = 1; ; tries++) {
      try {
        return await ts.getJavaScriptWorker();
      } catch (error) {
        if (tries === MOST_TRIES || this.#shadow.isDisposed()) throw error;
        await new Promise((resolve) => setTimeout(resolve, TRY_MS));
      }
    }
  }

  #markerOf(diagnostic: Diagnostic): monaco.editor.IMarkerData {
    const start = this.#shadow.getPositionAt(diagnostic.start ?? 0);
    const end = this.#shadow.getPositionAt((diagnostic.start ?? 0) + (diagnostic.length ?? 1));
    return {
      severity: diagnostic.category === 1 ? monaco.MarkerSeverity.Error : monaco.MarkerSeverity.Warning,
      message: textOf(diagnostic.messageText),
      code: String(diagnostic.code),
      source: 'ts',
      startLineNumber: Math.max(1, start.lineNumber - 1),
      startColumn: start.column,
      endLineNumber: Math.max(1, end.lineNumber - 1),
      endColumn: end.column,
    };
  }
}

type Worker = Awaited<ReturnType<Awaited<ReturnType<typeof ts.getJavaScriptWorker>>>>;
type Diagnostic = Awaited<ReturnType<Worker['getSemanticDiagnostics']>>[number];

function textOf(message: Diagnostic['messageText'], depth = 0): string {
  if (typeof message === 'string') return message;
  const indent = '  '.repeat(depth);
  return [`${indent}${message.messageText}`, ...(message.next ?? []).map((next) => textOf(next, depth + 1))].join('\n');
}
