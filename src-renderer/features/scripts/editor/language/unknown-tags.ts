import type { Client } from '../../../../client/client.ts';
import { monaco } from '../monaco.ts';
import { tagLiterals } from './tag-literals.ts';
import type { TagLiteral } from './tag-literals.ts';

const OWNER = 'tags';
/** Parsing a longer text would delay typing. Characters. */
const MOST_CHARACTERS = 300_000;
const MOST_PATHS = 10_000;

export interface UnknownTag extends TagLiteral {
  /** Suggestions, nearest first. */
  nearest: readonly string[];
}

/** Underlines unknown paths in one text. A text that does not parse keeps its marks until it does again. */
export class UnknownTags {
  readonly #tags: Pick<Client['tags'], 'check'>;
  readonly #model: monaco.editor.ITextModel;
  #request: AbortController | null = null;
  /** The results for the paths in the text of the last request to main. */
  #known = { paths: '', nearest: new Map<string, readonly string[]>() };
  #marked: { version: number; unknown: readonly UnknownTag[] } = { version: -1, unknown: [] };

  constructor(tags: Pick<Client['tags'], 'check'>, model: monaco.editor.ITextModel) {
    this.#tags = tags;
    this.#model = model;
  }

  /** The marks in a range; none while the text is newer than the marks. */
  at(range: monaco.IRange): readonly UnknownTag[] {
    if (this.#model.getVersionId() !== this.#marked.version) return [];
    return this.#marked.unknown.filter((one) =>
      monaco.Range.areIntersectingOrTouching(rangeOf(this.#model, one), range),
    );
  }

  /** Tags were created, renamed or deleted: the next check requests the results again. */
  tagsChanged(): void {
    this.#known = { paths: '', nearest: new Map() };
  }

  dispose(): void {
    this.#request?.abort();
    if (!this.#model.isDisposed()) monaco.editor.setModelMarkers(this.#model, OWNER, []);
  }

  async check(): Promise<void> {
    const model = this.#model;
    this.#request?.abort();
    if (model.isDisposed()) return;
    if (model.getValueLength() > MOST_CHARACTERS) return this.#mark([]);
    const version = model.getVersionId();
    const literals = tagLiterals(model.getValue());
    if (!literals) return;
    const paths = [...new Set(literals.map(({ path }) => path))].slice(0, MOST_PATHS);
    const requested = JSON.stringify(paths);
    if (requested !== this.#known.paths) {
      const request = new AbortController();
      this.#request = request;
      try {
        const { unknown } = await this.#tags.check({ paths }, { signal: request.signal });
        this.#known = { paths: requested, nearest: new Map(unknown.map(({ path, nearest }) => [path, nearest])) };
      } catch {
        // No message needed: the next key and the next change of tags retry.
        return;
      }
      if (request.signal.aborted || model.isDisposed() || model.getVersionId() !== version) return;
    }
    this.#mark(
      literals.flatMap((literal) => {
        const nearest = this.#known.nearest.get(literal.path);
        return nearest ? [{ ...literal, nearest }] : [];
      }),
    );
  }

  #mark(unknown: readonly UnknownTag[]): void {
    this.#marked = { version: this.#model.getVersionId(), unknown };
    monaco.editor.setModelMarkers(
      this.#model,
      OWNER,
      unknown.map((one) => markerOf(this.#model, one)),
    );
  }
}

/** The range of a path, without its quotes. */
export function rangeOf(model: monaco.editor.ITextModel, { start, end }: TagLiteral): monaco.Range {
  return monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end));
}

export function markerOf(model: monaco.editor.ITextModel, tag: UnknownTag): monaco.editor.IMarkerData {
  const [nearest] = tag.nearest;
  const { startLineNumber, startColumn, endLineNumber, endColumn } = rangeOf(model, tag);
  return {
    severity: monaco.MarkerSeverity.Warning,
    message: `No tag has the path "${tag.path}"${nearest === undefined ? '.' : `; did you mean "${nearest}"?`}`,
    source: 'tags',
    startLineNumber,
    startColumn,
    endLineNumber,
    endColumn,
  };
}
